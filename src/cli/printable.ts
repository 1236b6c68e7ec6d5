/**
 * Escapes the control characters of an untrusted text, which could command a terminal, and those that
 * change the direction of writing, which could make it show another text.
 */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Bidi_Control}]/gu, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  })
}
