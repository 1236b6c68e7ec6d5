import { hash } from 'node:crypto'
import type { AccountId } from '../../../core/account.ts'
import { charactersOf, pieceAt, pieceLength } from '../../sql/lists/word-pieces.ts'

/** Grows with every change of what `searchTokens` gives: an index made by another version is made anew. */
export const searchTokensVersion = 1

/**
 * The tokens under which a folded text is found, with a space between: from each character the next
 * three of its word, or fewer at its end. So a part of a word is the beginning of a token, or all of
 * its own threes are tokens. Each begins with a mark of the account: a search reads nothing of what
 * another account wrote.
 */
export function searchTokens(account: string, text: string): string {
  const mark = markOf(account)
  let tokens = ''
  for (const word of text.split(whitespace)) {
    const characters = charactersOf(word)
    for (let index = 0; index < characters.length; index += 1) {
      tokens += `${mark}${pieceAt(characters, index)} `
    }
  }
  return tokens
}

/**
 * What a text must match, in the language of FTS5, to contain all the words; null where the words
 * ask for nothing. Not all that matches does contain them.
 */
export function searchMatch(account: AccountId, words: readonly string[]): SearchMatch | null {
  const mark = markOf(account)
  const wanted = words.flatMap((word) => word.split(whitespace)).filter((word) => word !== '')
  const long = wanted.filter((word) => charactersOf(word).length >= pieceLength)
  const chosen = long.length > 0 ? long : wanted
  const phrases = chosen.slice(0, wordsMax).flatMap((word) => phrasesOf(mark, word))
  return phrases.length === 0 ? null : { match: phrases.join(' '), stepwise: long.length > 0 }
}

/** A question to the index. */
export interface SearchMatch {
  readonly match: string
  /** Asked for by whole tokens, so that the first answers come without reading all of them. */
  readonly stepwise: boolean
}

const markLength = 6
const whitespace = /\s+/u

/** More words than this leave no fewer texts to look into; nor do more tokens of one word. */
const wordsMax = 8
const tokensOfWordMax = 6

const marks = new Map<string, string>()
const marksMax = 10_000

/** Two accounts may share a mark: it only keeps the lists of the index apart. */
function markOf(account: string): string {
  const known = marks.get(account)
  if (known !== undefined) return known
  if (marks.size >= marksMax) marks.clear()
  const mark = hash('sha256', account, 'hex').slice(0, markLength)
  marks.set(account, mark)
  return mark
}

function phrasesOf(mark: string, word: string): readonly string[] {
  const characters = charactersOf(word)
  if (characters.length < pieceLength) return [`${quoted(mark + word)} *`]
  const last = characters.length - pieceLength
  const count = Math.min(last + 1, tokensOfWordMax)
  return Array.from({ length: count }, (_, index) => {
    const place = count === 1 ? 0 : Math.round((index * last) / (count - 1))
    return quoted(mark + pieceAt(characters, place))
  })
}

function quoted(token: string): string {
  return `"${token.replaceAll('"', '""')}"`
}
