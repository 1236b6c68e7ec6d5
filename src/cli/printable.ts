/** A text from elsewhere, safe on a terminal: control characters, which could command it, are written out. */
export function printable(text: string): string {
  return text.replace(/\p{Cc}/gu, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  })
}
