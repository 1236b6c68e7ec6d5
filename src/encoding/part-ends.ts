import type { LongMessages } from '../core/part-scheme.ts'
import type { TextForm } from './text-form.ts'
import { roomOf } from './room.ts'
import { codesOf, septetsOf } from './septets.ts'

/**
 * Returns the end of each part of a body, in UTF-16 code units. Parts never split an escape from
 * its septet, a surrogate pair, or the two digits of an octet. A character without a code in its
 * form counts as one septet.
 */
export function partEnds(
  body: string,
  form: TextForm,
  longMessages: LongMessages = 'UDH8',
): readonly number[] {
  const room = roomOf(form, longMessages)
  return form.encoding === 'TEXT' ? textEnds(body, form, room) : unitEnds(body, room)
}

interface Room {
  readonly alone: number
  readonly joined: number
}

function textEnds(body: string, form: TextForm, { alone, joined }: Room): readonly number[] {
  const codes = codesOf(form)
  const ends: number[] = []
  let total = 0
  let used = 0
  for (let index = 0; index < body.length; index += 1) {
    const septets = septetsOf(body.charCodeAt(index), codes) || 1
    total += septets
    if (used + septets > joined) {
      ends.push(index)
      used = 0
    }
    used += septets
  }
  return total <= alone ? [body.length] : [...ends, body.length]
}

function unitEnds(body: string, { alone, joined }: Room): readonly number[] {
  if (body.length <= alone) return [body.length]
  const ends: number[] = []
  let end = 0
  while (end < body.length) {
    end += joined
    if (end < body.length && splitsPair(body, end)) end -= 1
    ends.push(Math.min(end, body.length))
  }
  return ends
}

function splitsPair(body: string, index: number): boolean {
  return isHigh(body.charCodeAt(index - 1)) && isLow(body.charCodeAt(index))
}

function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff
}
