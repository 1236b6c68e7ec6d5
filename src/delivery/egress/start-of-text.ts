/** What is whole leaves nothing in a decoder, so that one serves all. */
const decoder = new TextDecoder()

/**
 * Reads octets as UTF-8. What is invalid becomes U+FFFD, and U+0000 is dropped: not every store can
 * keep it. A character that the cut has split is left out.
 */
export function startOfText(octets: Uint8Array, isCut: boolean): string {
  const text = isCut ? new TextDecoder().decode(octets, { stream: true }) : decoder.decode(octets)
  return text.replaceAll('\u0000', '')
}
