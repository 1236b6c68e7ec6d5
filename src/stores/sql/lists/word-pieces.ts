/** The length of the pieces of words under which texts are found, in characters. */
export const pieceLength = 3

/** The characters of a word. Nearly none has any of two UTF-16 units; then the text is as good as an array. */
export function charactersOf(word: string): string | readonly string[] {
  return /[\ud800-\udfff]/.test(word) ? [...word] : word
}

/** The piece that begins at a character, shorter at the end of the word. */
export function pieceAt(characters: string | readonly string[], index: number): string {
  const piece = characters.slice(index, index + pieceLength)
  return typeof piece === 'string' ? piece : piece.join('')
}
