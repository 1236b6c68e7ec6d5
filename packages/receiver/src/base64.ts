/**
 * The bytes that standard Base64 (RFC 4648, section 4) stands for; null where the text is not
 * Base64.
 */
export function fromBase64(text: string): Uint8Array | null {
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text)) return null

  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  } catch {
    return null
  }
}

/** Standard Base64 with padding. Meant for keys and signatures, not for long texts. */
export function toBase64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
}
