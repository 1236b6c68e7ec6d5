import type { CarrierEvent } from '../../../core/ports/carrier.ts'
import { idMax, splitText } from '../reading/read-answer.ts'
import { textOf, valuesFrom, type LocatedValue } from '../reading/values-at.ts'
import type { DeclaredCallback } from './callback-settings.ts'

/** More events than this in one callback are refused: they are made durable together. */
export const eventsMax = 1000

/** Content of a callback's event. */
export type ReadEvent =
  | { readonly kind: 'EVENT'; readonly event: CarrierEvent }
  /** Event without effect: ignored, or of an undeclared state, named by `word`. */
  | { readonly kind: 'PASSED_OVER'; readonly word: string | null }
  | { readonly kind: 'NOT_UNDERSTOOD'; readonly detail: string }
  /** Event that confirms a subscription. */
  | { readonly kind: 'CONFIRM'; readonly confirm: NonNullable<DeclaredCallback['confirm']> }

/** An event with the text of constants in it. */
export interface GivenEvent extends LocatedValue {
  /** Completes a constant of the declaration. */
  readonly constant: (text: string) => string
}

/** Returns the first text at a source; null if there is none. */
export function textAt(event: GivenEvent, source: string | null): string | null {
  if (source === null) return null
  return textOf(valuesFrom(event, source, event.constant)[0] ?? null)
}

/** Returns the texts of all values at a source, each split at the separator. */
export function textsAt(
  event: GivenEvent,
  source: string | null,
  separator: string | null,
): readonly (string | null)[] {
  if (source === null) return []
  return valuesFrom(event, source, event.constant).flatMap<string | null>((value) => {
    const text = textOf(value)
    return text === null ? [text] : splitText(text, separator)
  })
}

/** Returns true for a text that can be a provider's identifier of a message. */
export function isIdentifier(text: string): boolean {
  return text !== '' && text.length <= idMax && !/\p{C}/u.test(text)
}

/** Makes the result of an event without a value that the declaration names. */
export function lacks(what: string, place: string): ReadEvent {
  return notUnderstood(`has no ${what} that can be read at ${place === '' ? 'its root' : place}`)
}

/** Makes the result of an event that the declaration does not fit. */
export function notUnderstood(detail: string): ReadEvent {
  return { kind: 'NOT_UNDERSTOOD', detail }
}
