import type { HiddenReplay, Replay as Served } from '../../../src/collections/replays.ts'
import type { Stored } from '../../../src/core/ports/store.ts'
import { refusalsMax } from '../../../src/delivery/attempts/settle.ts'
import type { Entry } from './witness.ts'

/** A request to a receiver, as far as a replay has to do with it. */
interface Sending {
  readonly batchId: string
  readonly body: string
  readonly places: readonly number[]
}

/**
 * What is expected of a replay: of all that it selects, as the log was when it was made, each record is
 * told at least once, in their order; nothing else is. What it does not count for is what is told as it
 * happens.
 */
export class Replay {
  readonly id: string
  readonly webhookId: string
  #state: Served['state']
  readonly #selection: Served
  readonly #statuses: readonly string[]
  /** What lies behind was not done with when it was made: it is told as it happens. */
  readonly #end: number
  readonly #entries: readonly Entry[]
  readonly #bodies = new Map<string, string>()
  readonly #acknowledged = new Set<number>()
  readonly #refusedAlone = new Map<number, number>()

  constructor(stored: Stored, end: number, entries: readonly Entry[]) {
    this.id = stored.id
    this.webhookId = stored.parent ?? ''
    this.#selection = JSON.parse(stored.doc) as Served
    this.#statuses = (JSON.parse(stored.hidden ?? '{}') as HiddenReplay).statuses ?? []
    this.#state = this.#selection.state
    this.#end = end
    this.#entries = entries
  }

  /** It has not come to its end. */
  get isOpen(): boolean {
    return !ends.includes(this.#state)
  }

  /** It was written anew. Returns what is wrong with that, or null. */
  became({ doc }: Stored): string | null {
    const before = this.#state
    this.#state = (JSON.parse(doc) as Served).state
    if (ends.includes(before) && this.#state !== before)
      return `went from ${before} to ${this.#state}`
    const owed = this.#state === 'COMPLETED' ? this.owed() : []
    return owed.length === 0 ? null : `is completed without ${owed.join()}`
  }

  /** The places that it has to tell still. */
  owed(): readonly number[] {
    // What was set aside for the webhook only its node knows.
    if (this.#selection.failedOnly) return []
    return this.#entries
      .slice(0, this.#end)
      .filter((entry) => entry.isKept && !this.#isDone(entry.place) && this.#selects(entry))
      .map(({ place }) => place)
  }

  /** Checks a request that leaves. `wasRefused` tells of a place whether the webhook refused it for good. */
  sending(
    { batchId, body, places }: Sending,
    wasRefused: (place: number) => boolean,
    complain: (what: string) => void,
  ): void {
    if ((this.#bodies.get(batchId) ?? body) !== body) complain(`${batchId} has another body now`)
    this.#bodies.set(batchId, body)
    if (places.some((place, index) => place <= (places[index - 1] ?? -1))) {
      complain(`${batchId} has its records in the order ${places.join()}`)
    }
    for (const place of places) {
      const entry = this.#entries[place]
      const isOfIt = entry !== undefined && place < this.#end && this.#selects(entry)
      if (!isOfIt) complain(`${batchId} has ${place}, which ${this.id} does not select`)
      else if (this.#selection.failedOnly && !wasRefused(place)) {
        complain(`${batchId} has ${place}, which was never set aside`)
      }
    }
    const within = new Set(places)
    const last = places.at(-1) ?? -1
    for (const place of this.owed()) {
      if (place < last && !within.has(place)) {
        complain(`${batchId} of ${this.id} passes ${place}, which is not done`)
      }
    }
  }

  /** Whether the webhook refused a record in this replay for good: a later replay of failures selects it. */
  hasSetAside(place: number): boolean {
    return (this.#refusedAlone.get(place) ?? 0) >= refusalsMax
  }

  /** Notes what the receiver answers. */
  answered(places: readonly number[], status: number, isForRecords: boolean): void {
    if (status < 300) for (const place of places) this.#acknowledged.add(place)
    const [only = -1] = places
    if (isForRecords && places.length === 1) {
      this.#refusedAlone.set(only, (this.#refusedAlone.get(only) ?? 0) + 1)
    }
  }

  #selects({ type, status, at, messageId }: Entry): boolean {
    const { from, until, types, messageIds } = this.#selection
    if (types?.some((each) => each === type) === false) return false
    if (type === 'SENT' && !this.#statuses.includes(status)) return false
    if (at < Date.parse(from) || (until !== null && at >= Date.parse(until))) return false
    return messageIds === null || messageIds.includes(messageId)
  }

  #isDone(place: number): boolean {
    return this.#acknowledged.has(place) || this.hasSetAside(place)
  }
}

const ends: readonly string[] = ['COMPLETED', 'FAILED', 'CANCELLED']
