import type { OutgoingMessage } from '../core/ports/carrier.ts'

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
