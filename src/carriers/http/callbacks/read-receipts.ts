import type { CarrierEvent } from '../../../core/ports/carrier.ts'
import { findPattern } from '../reading/find-pattern.ts'
import { codeOf } from '../reading/read-answer.ts'
import type { DeclaredCallback } from './callback-settings.ts'
import {
  eventsMax,
  isIdentifier,
  lacks,
  textAt,
  textsAt,
  type GivenEvent,
  type ReadEvent,
} from './given-event.ts'

type DeclaredReceipt = NonNullable<DeclaredCallback['receipt']>

/**
 * Reads the receipts of an event: one for each identifier, with the state at the same position if there are as
 * many states.
 */
export function readReceipts(value: GivenEvent, declared: DeclaredReceipt): readonly ReadEvent[] {
  // One more than the limit of events, so that more of them are refused.
  const ids = textsAt(value, declared.id, declared.separator).slice(0, eventsMax + 1)
  const valuesOf = (source: string | null): readonly (string | null)[] => {
    const texts = textsAt(value, source, declared.separator)
    const whole = textAt(value, source)
    return texts.length === ids.length ? texts : ids.map(() => whole)
  }
  const words = valuesOf(declared.status)
  const reasons = valuesOf(declared.reason)
  const codes = valuesOf(declared.code)
  const read = ids.flatMap((id, index) => {
    const [word = null, reason = null, code = null] = [words[index], reasons[index], codes[index]]
    return id === '' || id === null ? [] : [readReceipt(declared, { id, word, reason, code })]
  })
  return read.length === 0 ? [lacks('identifier', declared.id)] : read
}

/** Texts of one receipt. */
interface GivenReceipt {
  readonly id: string
  readonly word: string | null
  readonly reason: string | null
  readonly code: string | null
}

function readReceipt(declared: DeclaredReceipt, { id, word, reason, code }: GivenReceipt) {
  if (!isIdentifier(id)) return lacks('identifier', declared.id)
  if (word === null) return lacks('state', declared.status)
  const said = own(declared.statuses, word)
  if (said === undefined) return { kind: 'PASSED_OVER', word: word.slice(0, wordMax) } as const
  const named = codeOf(
    declared.reasonPattern === null ? reason : foundIn(declared.reasonPattern, reason),
  )
  const shown = declared.code === null ? named : codeOf(code)
  if (said === 'ON_ITS_WAY') {
    return receiptEvent(id, { type: 'SENT', detail: detailOf(word) }, shown)
  }
  if (said === 'DELIVERED' || said === 'UNKNOWN') {
    return receiptEvent(id, { type: said, detail: null }, shown)
  }
  const refined = own(declared.reasons, named ?? '')
  const detail = refined === undefined || !isFailure(refined) ? said : refined
  return receiptEvent(id, { type: 'FAILED', detail }, shown)
}

/** Maximum shown characters of a provider's state. */
const wordMax = 40

/** Returns a provider's intermediate state in the form of a status detail, such as `SENT_TO_SUPPLIER`. */
function detailOf(word: string): string {
  const words = word
    .slice(0, wordMax)
    .toUpperCase()
    .match(/[A-Z0-9]+/g)
  return words?.join('_') ?? 'ENROUTE'
}

function isFailure(state: string): boolean {
  return !['DELIVERED', 'UNKNOWN', 'ON_ITS_WAY'].includes(state)
}

function receiptEvent(
  carrierMessageId: string,
  outcome: Extract<CarrierEvent, { kind: 'RECEIPT' }>['outcome'],
  code: string | null,
): ReadEvent {
  const named = code === null ? {} : { code }
  return { kind: 'EVENT', event: { kind: 'RECEIPT', carrierMessageId, outcome, ...named } }
}

/** Maximum searched characters of a reason: several receipts can share one. */
const searchedMax = 1000

function foundIn(pattern: string, text: string | null): string | null {
  return text === null ? null : findPattern(pattern, text.slice(0, searchedMax))
}

function own<T>(map: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(map, name) ? map[name] : undefined
}
