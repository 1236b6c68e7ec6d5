import type { IncomingKey, IncomingParts, KeptPart } from '../../src/core/ports/incoming-parts.ts'
import { compareText } from './compare.ts'
import { keyOf, type Draft } from './state.ts'

/** The parts of incoming messages. */
export function memoryIncomingParts(draft: Draft): IncomingParts {
  const ofKey = (key: IncomingKey): readonly [string, KeptPart][] =>
    [...draft.see('incomingParts')].filter(([, part]) => messageKey(part) === messageKey(key))
  const open = (): readonly KeptPart[] =>
    [...draft.see('incomingParts').values()].filter(({ joined }) => !joined)

  return {
    keep: async (part) => {
      draft.change('incomingParts').set(partKey(part), part)
    },
    of: async (key) =>
      ofKey(key)
        .map(([, part]) => part)
        .toSorted((a, b) => a.part - b.part),
    join: async (key, expiresAt) => {
      for (const [place, part] of ofKey(key)) {
        draft.change('incomingParts').set(place, { ...part, joined: true, expiresAt })
      }
    },
    forget: async (key) => {
      for (const [place] of ofKey(key)) draft.change('incomingParts').delete(place)
    },
    overdue: async (now, limit) => {
      const late = open()
        .filter(({ expiresAt }) => expiresAt <= now)
        .toSorted((a, b) => a.expiresAt - b.expiresAt || compareKeys(a, b))
      const keys = new Map(late.map((part) => [messageKey(part), keyIn(part)]))
      return [...keys.values()].slice(0, limit)
    },
    nextOverdueAt: async () => {
      const times = open().map(({ expiresAt }) => expiresAt)
      return times.length === 0 ? null : Math.min(...times)
    },
    trim: async (now, limit) => {
      const old = [...draft.see('incomingParts')]
        .filter(([, { joined, expiresAt }]) => joined && expiresAt <= now)
        .toSorted(([, a], [, b]) => a.expiresAt - b.expiresAt)
        .slice(0, limit)
      for (const [place] of old) draft.change('incomingParts').delete(place)
      return old.length
    },
  }
}

function messageKey({ carrier, from, to, reference, total }: IncomingKey): string {
  return keyOf(carrier, from, to, reference, String(total))
}

function partKey(part: KeptPart): string {
  return keyOf(messageKey(part), String(part.part))
}

function keyIn({ carrier, from, to, reference, total }: IncomingKey): IncomingKey {
  return { carrier, from, to, reference, total }
}

function compareKeys(a: IncomingKey, b: IncomingKey): number {
  return (
    compareText(a.carrier, b.carrier) ||
    compareText(a.from, b.from) ||
    compareText(a.to, b.to) ||
    compareText(a.reference, b.reference) ||
    a.total - b.total
  )
}
