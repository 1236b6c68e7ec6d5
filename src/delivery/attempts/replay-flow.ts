import { replays } from '../../collections/replays.ts'
import type { LogEntry } from '../../core/ports/notification-log.ts'
import type { OpenBatch, ReplayProgress, WebhookProgress } from '../progress/progress.ts'
import {
  hasEnded,
  type ReplayState,
  type Selection,
  selectionOf,
} from '../progress/stored-replay.ts'
import { type Checkpoint, writeProgress } from '../progress/write-progress.ts'
import {
  atOnce,
  type DeliveryContext,
  dueAt,
  haltAfterChange,
  mayBegin,
  mayReplay,
  type NextAction,
  shareMs,
} from '../workers/served-webhook.ts'
import { attempt, type AttemptResult } from './attempt.ts'
import { findAgain, rereadAgain, type Search } from './find-again.ts'
import { settleReplay, stateOfReplay } from './settle-replay.ts'

/**
 * Sends the first replay of a webhook during one turn, one request after the other. Each batch is
 * committed before its request, and each outcome before the next. After a crash the next owner
 * repeats at most one batch, with the same identifier.
 */
export class ReplayFlow {
  readonly #context: DeliveryContext
  readonly #until: number
  #sent = 0
  /** Entries of the planned batch. */
  #entries: readonly LogEntry[] | null = null

  constructor(context: DeliveryContext) {
    this.#context = context
    this.#until = context.parts.clock.monotonic() + shareMs
  }

  /** Runs until its share of time ends, or nothing can be sent. */
  async run(): Promise<NextAction> {
    let rest: NextAction | null = null
    while (rest === null) rest = await this.#step()
    return rest
  }

  async #step(): Promise<NextAction | null> {
    const served = this.#context.served
    const [replay] = served.progress.replays
    if (replay === undefined) return { kind: 'IDLE', until: null }
    if (!mayReplay(served, this.#context.parts.clock))
      return { kind: 'IDLE', until: served.replayDueAt }
    const halt = await this.#halt()
    if (halt !== null) return halt
    const selection = await this.#select(replay)
    if (selection === null) return this.#drop()

    const { account } = served.consumer
    const search = { account, replay, sought: selection.sought }
    const { batch } = replay.flow
    if (batch === null) return this.#plan(search, replay, selection)
    this.#entries ??= await rereadAgain(this.#context.parts.store.log, search, batch)
    // Retention removed a part of it. The rest becomes another batch.
    if (this.#entries === null) {
      return this.#goOnWith({ ...replay, flow: { ...replay.flow, batch: null } })
    }
    return this.#send(replay, selection, batch, this.#entries)
  }

  /** Returns the reason to end this turn; null to continue. */
  async #halt(): Promise<NextAction | null> {
    const { clock } = this.#context.parts
    if (!mayBegin(this.#context.parts)) return { kind: 'DORMANT' }
    const isOver = this.#context.slot.isContended() || clock.monotonic() >= this.#until
    if (this.#sent > 0 && isOver) return { kind: 'AGAIN' }
    return haltAfterChange(this.#context)
  }

  /** Returns the selection of the replay; null if the replay was removed. */
  async #select({ id }: ReplayProgress): Promise<Selection | null> {
    const served = this.#context.served
    if (served.selection?.id === id) return served.selection
    const { account, webhookId } = served.consumer
    const stored = await this.#context.parts.store.read(account, (reader) =>
      reader.find(replays, { parent: webhookId, id }),
    )
    served.selection = stored === null ? null : selectionOf(stored)
    return served.selection
  }

  /** Finds the next batch and commits it before its request. */
  async #plan(
    search: Search,
    replay: ReplayProgress,
    selection: Selection,
  ): Promise<NextAction | null> {
    const { clock, store, newId } = this.#context.parts
    const { maxBatch } = this.#context.target
    const count = Math.min(replay.flow.limit ?? maxBatch, maxBatch)
    const isEnough = (): boolean => clock.monotonic() >= this.#until
    const { entries, position } = await findAgain(store.log, search, count, isEnough)
    const last = entries.at(-1)?.position
    if (last === undefined) {
      if (position === replay.end) return this.#complete({ ...replay, position }, selection)
      this.#goOnWith({ ...replay, position })
      return isEnough() ? { kind: 'AGAIN' } : null
    }

    this.#entries = entries
    const planned = { id: newId('replayed'), end: last, count: entries.length }
    const batch = { ...planned, attempts: 0, refusals: 0 }
    const flow = { ...replay.flow, batch, nextAttemptAt: null }
    return this.#write({ ...replay, flow }, selection, stateOfReplay(flow))
  }

  async #send(
    replay: ReplayProgress,
    selection: Selection,
    batch: OpenBatch,
    entries: readonly LogEntry[],
  ): Promise<NextAction | null> {
    this.#sent += 1
    const { id, flow } = replay
    this.#context.slot.away()
    const attempted = await attempt(this.#context, { batch, entries }, () => flow, id)
    this.#context.slot.back()
    if (attempted === null) return { kind: 'OVER' }
    this.#entries = attempted.progress.batch === null ? null : entries
    return this.#settle(replay, selection, entries, attempted)
  }

  async #settle(
    replay: ReplayProgress,
    selection: Selection,
    entries: readonly LogEntry[],
    attempted: AttemptResult,
  ): Promise<NextAction | null> {
    const { deliveries, setAside = [], outcome } = attempted
    const {
      progress,
      replay: next,
      state,
    } = settleReplay(
      this.#context.served.progress,
      replay,
      entries,
      attempted,
      this.#context.parts.clock.now(),
    )
    const isDelivered = outcome.kind === 'ACCEPTED'
    const delivered = isDelivered ? entries.map(({ position }) => position) : []
    return this.#write(next, selection, state, { deliveries, setAside, delivered }, progress)
  }

  #complete(replay: ReplayProgress, selection: Selection): Promise<NextAction | null> {
    return this.#write(replay, selection, { state: 'COMPLETED', stateReason: null })
  }

  /** The replay was removed. */
  async #drop(): Promise<NextAction | null> {
    const { position, progress } = this.#context.served
    const left = { ...progress, replays: progress.replays.slice(1) }
    return this.#commit({ position, progress: left, deliveries: [] })
  }

  /** Continues without a commit: after a crash the same search repeats. */
  #goOnWith(replay: ReplayProgress): null {
    const { progress } = this.#context.served
    this.#context.served.progress = { ...progress, replays: [replay, ...progress.replays.slice(1)] }
    return null
  }

  /** Writes what the replay has come to, and takes it from the list where that is its end. */
  async #write(
    replay: ReplayProgress,
    selection: Selection,
    state: ReplayState,
    beside: Omit<Checkpoint, 'position' | 'progress'> = { deliveries: [] },
    progress: WebhookProgress = this.#context.served.progress,
  ): Promise<NextAction | null> {
    const others = progress.replays.slice(1)
    const replays = hasEnded(state) ? others : [replay, ...others]
    const isNews = state.state !== selection.state || state.stateReason !== selection.stateReason
    const rest = await this.#commit({
      ...beside,
      position: this.#context.served.position,
      progress: { ...progress, replays },
      ...(isNews ? { replay: { ...state, progress: replay } } : {}),
    })
    if (rest === null) this.#context.served.selection = { ...selection, ...state }
    return rest
  }

  async #commit(reached: Checkpoint): Promise<NextAction | null> {
    const served = this.#context.served
    if (!(await writeProgress(this.#context, reached))) return { kind: 'OVER' }
    const [first] = reached.progress.replays
    served.replayDueAt = dueAt(first?.flow ?? atOnce, this.#context.parts.clock)
    return reached.progress.disabled === null ? null : { kind: 'DORMANT' }
  }
}
