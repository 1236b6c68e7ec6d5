import type { OutgoingMessage } from '../core/ports/carrier.ts'
import type { Clock } from '../core/ports/clock.ts'

/** A message on its way: its parts, and the carrier's identifiers of those that were taken. */
export interface PartProgress<P> {
  readonly parts: readonly P[]
  /** By part; null of one that is not known to be taken. */
  readonly ids: (string | null)[]
}

/**
 * Progress of messages that were submitted in part, so that a retry sends no accepted part twice.
 * It is in memory: after a restart all parts are sent again.
 */
export interface TakenParts<P> {
  /** Returns a message's progress; `make` encodes its parts if there is none. */
  of(message: OutgoingMessage, make: () => readonly P[]): PartProgress<P>
  /** Remembers it for the next time, if something of it may be there. */
  keep(message: OutgoingMessage, progress: PartProgress<P>): void
}

/** The most messages that are remembered: those that were in flight when links broke. */
const keptMax = 5000

/** Makes an empty memory. */
export function takenParts<P>(): TakenParts<P> {
  const kept = new Map<string, { readonly content: string; readonly progress: PartProgress<P> }>()
  const take = (message: OutgoingMessage) => {
    if (kept.size === 0) return undefined
    const key = keyOf(message)
    const known = kept.get(key)
    kept.delete(key)
    return known
  }

  return {
    of: (message, make) => {
      const known = take(message)
      if (known !== undefined && known.content === contentOf(message)) return known.progress
      const parts = make()
      return { parts, ids: parts.map(() => null) }
    },
    keep: (message, progress) => {
      const [oldest] = kept.keys()
      if (kept.size >= keptMax && oldest !== undefined) kept.delete(oldest)
      kept.set(keyOf(message), { content: contentOf(message), progress })
    },
  }
}

function keyOf({ account, id }: OutgoingMessage): string {
  return JSON.stringify([account, id])
}

/** Another message may have the identifier of one that was deleted. */
function contentOf({
  from,
  to,
  body,
  encoding,
  messageClass,
  protocolId,
}: OutgoingMessage): string {
  return JSON.stringify([from, to, body, encoding, messageClass, protocolId])
}

/** Counts how many parts are sent a second. */
export interface RateMeter {
  count(): void
  /** Rate per second over the last full seconds. */
  perSecond(): number
}

/** Over how many seconds it is measured. */
const seconds = 5

/** Makes a meter that has counted nothing. */
export function rateMeter(clock: Clock): RateMeter {
  const counts = Array.from({ length: seconds + 1 }, () => 0)
  let current = 0

  /** Clears the seconds that have passed since it was last looked at. */
  const turn = (): void => {
    const now = Math.floor(clock.monotonic() / 1000)
    const passed = Math.min(now - current, counts.length)
    for (let index = 1; index <= passed; index += 1) counts[(current + index) % counts.length] = 0
    if (passed > 0) current = now
  }

  return {
    count: () => {
      turn()
      const place = current % counts.length
      counts[place] = (counts[place] ?? 0) + 1
    },
    perSecond: () => {
      turn()
      const total = counts.reduce((sum, count) => sum + count, 0)
      return (total - (counts[current % counts.length] ?? 0)) / seconds
    },
  }
}
