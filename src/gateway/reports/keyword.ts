import { englishKeywords, type KeywordAction } from '../../core/keywords.ts'
import { fold } from '../../core/declaration/query.ts'
import type { IncomingEvent } from '../../core/ports/carrier.ts'
import type { Instant } from '../../core/ports/clock.ts'
import { formats } from '../../core/declaration/format.ts'
import type { NewId } from '../../core/id.ts'
import type { Writer } from '../../core/ports/store.ts'
import { timestamp } from '../../core/timestamp.ts'
import { optOuts, pairText, type OptOut, type Pair } from '../../collections/opt-outs.ts'

/** The operator's keywords, in addition to the English ones. */
export interface ExtraKeywords {
  readonly stop: readonly string[]
  readonly start: readonly string[]
}

/** A function that returns the action of a text that is only a keyword, in any case; else null. */
export type KeywordReader = (body: string) => KeywordAction | null

/** Creates the keyword reader. A word on both lists opts out. */
export function keywordReader({ stop, start }: ExtraKeywords): KeywordReader {
  const own = new Map<string, KeywordAction>([
    ...start.map((word) => [folded(word), 'START'] as const),
    ...stop.map((word) => [folded(word), 'STOP'] as const),
  ])
  return (body) =>
    englishWish(body) ?? (body.length > wordLengthMax ? null : own.get(folded(body))) ?? null
}

/** The longest keyword, with spaces around it. */
const wordLengthMax = 200

/** Normalizes case, spaces and composition. The four letters i of Turkish become one. */
function folded(text: string): string {
  const plain = fold(text).replaceAll('i\u0307', 'i').replaceAll('\u0131', 'i')
  return plain.trim().replace(/\s+/gu, ' ')
}

function englishWish(body: string): KeywordAction | null {
  const word = body.trim()
  // Other alphabets have capitals that equal Latin letters: convert only Latin text to capitals.
  return /^[A-Za-z]+$/.test(word) ? (englishKeywords.get(word.toUpperCase()) ?? null) : null
}

/**
 * Applies a keyword: creates or deletes an opt-out between the sender and the address that the
 * message arrived at. An opt-out from every sender stays, since no keyword created it.
 */
export async function applyKeyword(
  writer: Writer,
  { from, to, body }: IncomingEvent,
  given: { readonly newId: NewId; readonly at: Instant; readonly wishOf: KeywordReader },
): Promise<void> {
  const wish = given.wishOf(body)
  if (wish === null) return
  const address = formats.recipient.read(from)
  const sender = formats.sender.read(to)
  // No message can be sent between the two.
  if (!address.ok || !sender.ok) return

  const pair = { address: address.text, sender: sender.text }
  const known = await writer.find(optOuts, { field: 'pair', value: pairText(pair) })
  if (wish === 'STOP' && known === null) await optOut(writer, pair, given)
  if (wish === 'START' && known !== null) await writer.remove(optOuts, { id: known.id })
}

async function optOut(
  writer: Writer,
  { address, sender }: Pair,
  { newId, at }: { readonly newId: NewId; readonly at: Instant },
): Promise<void> {
  const date = timestamp(at)
  const made: OptOut = {
    id: newId(optOuts.noun),
    address,
    sender,
    reason: 'KEYWORD',
    createdAt: date,
    updatedAt: date,
  }
  await writer.save(optOuts, { id: made.id }, made, { pair: pairText(made) })
}
