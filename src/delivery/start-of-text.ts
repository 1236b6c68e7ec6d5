/**
 * Reads octets as UTF-8. What is invalid becomes U+FFFD, and U+0000 is dropped: not every store can
 * keep it. A character that the cut has split is left out.
 */
export function startOfText(octets: Uint8Array, isCut: boolean): string {
  return new TextDecoder().decode(octets, { stream: isCut }).replaceAll('\u0000', '')
}
