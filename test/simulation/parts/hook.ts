import type { AccountId } from '../../../src/core/account.ts'
import { wants, type LogFilter } from '../../../src/core/ports/notification-log.ts'
import { refusalsMax } from '../../../src/delivery/attempts/settle.ts'
import { isAgain } from './is-again.ts'
import type { Replay } from './replay.ts'
import type { Entry } from './witness.ts'
import type { World } from './world.ts'

/** A request to a receiver, as it leaves. */
export interface Sending {
  readonly machine: string
  readonly batchId: string
  readonly body: string
  /** Places in the log, of each of its records. */
  readonly places: readonly number[]
}

/** A filter that was in force, perhaps. */
interface KnownFilter extends LogFilter {
  /** Surely not any more for what is appended from this place on. */
  endsAt: number
  /** A request that asked for it was never answered: nobody knows when it is done. */
  isOpen: boolean
}

/**
 * What is expected of the deliveries to one webhook. All of it is what a receiver can see: each
 * request goes on where the records before it are acknowledged or set aside, an identifier stands
 * for the same records for ever, and a record that is sent again keeps its identifier, unless the
 * batch, or one before it, was refused for what it held, retention took a part of it, or the owner
 * chose other records.
 */
export class Hook {
  readonly id: string
  readonly account: AccountId
  /** The owner has one request at a time about it. */
  isBusy = false
  /** From this place on records are owed to it. Infinity until it surely exists. */
  owedFrom = Infinity
  isDeleted = false
  readonly #world: World
  readonly #filters: KnownFilter[] = []
  readonly #bodies = new Map<string, string>()
  readonly #placesOf = new Map<string, readonly number[]>()
  /** Identifiers that a record was sent under. */
  readonly #idsOf = new Map<number, Set<string>>()
  readonly #dissolved = new Set<string>()
  readonly #inFlight = new Map<string, number>()
  readonly #refusedAlone = new Map<number, number>()
  readonly #acknowledged = new Set<number>()
  /**
   * Places that may be owed still, and how far has been looked. What was appended is owed less and
   * less: more filters may have been in force when it was, never fewer.
   */
  #owed: number[] = []
  #seen = 0
  #isChoosing = false
  #chosenAt = -Infinity

  constructor(id: string, account: AccountId, world: World) {
    this.id = id
    this.account = account
    this.#world = world
  }

  /** How many records it has acknowledged. */
  get acknowledged(): number {
    return this.#acknowledged.size
  }

  /** The owner asks for a filter, or for batches of another size: from now on it may be in force. */
  choose(filter: LogFilter): void {
    this.#filters.push({ ...filter, endsAt: Infinity, isOpen: true })
    this.#isChoosing = true
    for (const id of this.#bodies.keys()) this.#dissolved.add(id)
  }

  /** The owner was answered that it is in force, after attempts of which some may have had none. */
  chosen(wasAnsweredAtOnce: boolean): void {
    const last = this.#filters.at(-1)
    if (last === undefined) return
    const now = this.#world.witness.entriesOf(this.account).length
    for (const filter of this.#filters) {
      if (filter !== last && !filter.isOpen) filter.endsAt = Math.min(filter.endsAt, now)
    }
    last.isOpen = !wasAnsweredAtOnce
    this.#chosenAt = this.#world.timeline.monotonic()
    for (const id of this.#bodies.keys()) this.#dissolved.add(id)
    this.#isChoosing = this.#filters.some(({ isOpen }) => isOpen)
  }

  /** Checks a request that leaves. */
  sending({ machine, batchId, body, places }: Sending): void {
    const complain = (what: string): void => this.#world.complain(`${this.id}: ${what}`)
    const [first = 0] = places
    const inFlight = (this.#inFlight.get(machine) ?? 0) + 1
    this.#inFlight.set(machine, inFlight)
    if (inFlight > 1) complain(`${machine} has ${inFlight} requests in flight`)
    if (isAgain(batchId)) return this.#sendingAgain({ machine, batchId, body, places }, complain)
    if ((this.#bodies.get(batchId) ?? body) !== body) complain(`${batchId} has another body now`)
    this.#bodies.set(batchId, body)
    this.#placesOf.set(batchId, places)
    const sinceChosenMs = this.#world.timeline.monotonic() - this.#chosenAt
    if (this.#isChoosing || sinceChosenMs < unheardMs) this.#dissolved.add(batchId)

    if (places.some((place, index) => place <= (places[index - 1] ?? -1))) {
      complain(`${batchId} has its records in the order ${places.join()}`)
    }
    const within = new Set(places)
    const last = places.at(-1) ?? -1
    for (const place of this.owed()) {
      if (place < last && !within.has(place)) {
        complain(`${batchId} with ${places.join()} passes ${place}, which is not done`)
      }
    }
    for (const place of places) {
      this.#checkWanted(place, batchId, complain)
      this.#checkIdentifier(place, batchId, complain)
    }
    this.#world.note(`${machine} sends ${this.id} ${batchId.slice(-6)} from ${first}: ${places}`)
  }

  #sendingAgain(sending: Sending, complain: (what: string) => void): void {
    const { machine, batchId, places } = sending
    const replay = this.#world.witness.replayOf(batchId)
    if (replay?.webhookId !== this.id) complain(`${batchId} is sent and not written down`)
    const wasRefused = (place: number): boolean =>
      this.#wasSetAside(place) || this.#replays().some((each) => each.hasSetAside(place))
    replay?.sending(sending, wasRefused, complain)
    this.#world.note(`${machine} sends ${this.id} again ${batchId.slice(-6)}: ${places}`)
  }

  /** A request is done with, as far as its node knows. */
  sent(machine: string): void {
    this.#inFlight.set(machine, (this.#inFlight.get(machine) ?? 1) - 1)
  }

  /** Notes what the receiver answers. */
  answered({ batchId, places }: Sending, status: number): void {
    this.#world.note(`${this.id} answers ${status} to ${batchId.slice(-6)}`)
    if (isAgain(batchId)) {
      const replay = this.#world.witness.replayOf(batchId)
      return replay?.answered(places, status, isForRecords(status))
    }
    if (status < 300) for (const place of places) this.#acknowledged.add(place)
    if (!isForRecords(status)) return
    if (places.length > 1) this.#dissolve(places[0] ?? 0)
    const [only = -1] = places
    if (places.length === 1) this.#refusedAlone.set(only, (this.#refusedAlone.get(only) ?? 0) + 1)
  }

  /** What is refused is halved, and what was planned behind it is planned anew. */
  #dissolve(from: number): void {
    for (const [id, [first = 0]] of this.#placesOf) if (first >= from) this.#dissolved.add(id)
  }

  /** The places that are owed to it still. */
  owed(): readonly number[] {
    const entries = this.#world.witness.entriesOf(this.account)
    if (this.owedFrom < Infinity) {
      this.#seen = Math.max(this.#seen, this.owedFrom)
      for (; this.#seen < entries.length; this.#seen += 1) this.#owed.push(this.#seen)
    }
    this.#owed = this.#owed.filter((place) => {
      const entry = entries[place]
      return entry !== undefined && this.#isOwed(entry) && !this.#isDone(entry)
    })
    return this.#owed
  }

  /** Whether something is to be sent to it again. */
  get isReplaying(): boolean {
    return !this.isDeleted && this.#replays().some(({ isOpen }) => isOpen)
  }

  #replays(): readonly Replay[] {
    const all = [...this.#world.witness.replays.values()]
    return all.filter(({ webhookId }) => webhookId === this.id)
  }

  #isOwed(entry: Entry): boolean {
    if (this.isDeleted || entry.place < this.owedFrom) return false
    return this.#inForceAfter(entry.place).every((filter) => wants(filter, entry))
  }

  #isDone({ place, isKept }: Entry): boolean {
    return !isKept || this.#wasTaken(place)
  }

  #wasTaken(place: number): boolean {
    return this.#acknowledged.has(place) || this.#wasSetAside(place)
  }

  #wasSetAside(place: number): boolean {
    return (this.#refusedAlone.get(place) ?? 0) >= refusalsMax
  }

  #inForceAfter(place: number): readonly KnownFilter[] {
    return this.#filters.filter(({ endsAt }) => endsAt > place)
  }

  #checkWanted(place: number, batchId: string, complain: (what: string) => void): void {
    const entry = this.#world.witness.entriesOf(this.account)[place]
    if (entry === undefined) return complain(`${batchId} has a record that is not in the log`)
    if (!this.#inForceAfter(place).some((filter) => wants(filter, entry))) {
      complain(`${batchId} has ${place}, which it never wanted`)
    }
  }

  /** Where a record of a batch became too old, the others are another batch. */
  #isWhole(batchId: string): boolean {
    const entries = this.#world.witness.entriesOf(this.account)
    return this.#placesOf.get(batchId)?.every((place) => entries[place]?.isKept) === true
  }

  #checkIdentifier(place: number, batchId: string, complain: (what: string) => void): void {
    const ids = this.#idsOf.get(place) ?? new Set()
    const isNew = !ids.has(batchId)
    if (isNew && [...ids].some((id) => !this.#dissolved.has(id) && this.#isWhole(id))) {
      complain(`${place} is sent again as ${batchId}, and was ${[...ids].join()}`)
    }
    this.#idsOf.set(place, ids.add(batchId))
  }
}

/** A node that does not hear of a change may send what it had planned before for so long. */
const unheardMs = 30_000

/** Answers that find fault with the records, not with the moment. */
function isForRecords(status: number): boolean {
  return status >= 400 && status < 500 && ![408, 410, 429].includes(status)
}
