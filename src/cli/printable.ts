/** Escapes the control characters of an untrusted text, which could command a terminal. */
export function printable(text: string): string {
  return text.replace(/\p{Cc}/gu, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  })
}
