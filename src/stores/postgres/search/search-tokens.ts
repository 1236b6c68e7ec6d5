import { charactersOf, pieceAt, pieceLength } from '../../sql/lists/word-pieces.ts'

/** More tokens than this leave no fewer texts to look into. */
const askedMax = 24

/**
 * The tokens under which a folded text is found: any three characters of it that stand together, without
 * whitespace among them. So all threes of a part of a word are tokens of the text.
 */
export function tokensOf(text: string): ReadonlySet<string> {
  const tokens = new Set<string>()
  for (const word of text.toWellFormed().split(/\s+/u)) addTokens(tokens, word)
  return tokens
}

/** The tokens that a text must have to contain all the words; none where the words are too short to tell. */
export function tokensAsked(words: readonly string[]): readonly string[] {
  const tokens = new Set<string>()
  for (const word of words) for (const token of tokensOf(word)) tokens.add(token)
  return [...tokens].slice(0, askedMax)
}

function addTokens(tokens: Set<string>, word: string): void {
  const characters = charactersOf(word)
  for (let index = 0; index + pieceLength <= characters.length; index += 1) {
    tokens.add(pieceAt(characters, index))
  }
}
