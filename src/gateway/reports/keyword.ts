import { englishKeywords, type KeywordAction } from '../../core/keywords.ts'
import { fold } from '../../core/declaration/query.ts'

/** Words of the operator's own, besides the English ones. */
export interface OwnWords {
  readonly stop: readonly string[]
  readonly start: readonly string[]
}

/** Finds the wish of a text that is a keyword and nothing else, in any case; null where it is none. */
export type WishOf = (body: string) => KeywordAction | null

/** Makes what finds wishes. A word that is on both lists opts out. */
export function wishes({ stop, start }: OwnWords): WishOf {
  const own = new Map<string, KeywordAction>([
    ...start.map((word) => [folded(word), 'START'] as const),
    ...stop.map((word) => [folded(word), 'STOP'] as const),
  ])
  return (body) =>
    englishWish(body) ?? (body.length > wordLengthMax ? null : own.get(folded(body))) ?? null
}

/** A text that is longer is no keyword, spaces around it included. */
const wordLengthMax = 200

/**
 * As it is compared: without a difference of case or of spaces, composed. The four letters i of
 * Turkish are one.
 */
function folded(text: string): string {
  const plain = fold(text).replaceAll('i\u0307', 'i').replaceAll('\u0131', 'i')
  return plain.trim().replace(/\s+/gu, ' ')
}

function englishWish(body: string): KeywordAction | null {
  const word = body.trim()
  // Letters of other alphabets have capitals among ours: only our own are turned into capitals.
  return /^[A-Za-z]+$/.test(word) ? (englishKeywords.get(word.toUpperCase()) ?? null) : null
}
