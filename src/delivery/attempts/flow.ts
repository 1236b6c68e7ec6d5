import type { LogEntry } from '../../core/ports/notification-log.ts'
import { opened, waited, type WebhookProgress } from '../progress/progress.ts'
import {
  type Checkpoint,
  commitProgress,
  isWorthWriting,
  writeProgress,
} from '../progress/write-progress.ts'
import {
  type DeliveryContext,
  haltAfterChange,
  isAsRead,
  isStillStored,
  mayBegin,
  mayReplay,
  type NextAction,
  shareMs,
} from '../workers/served-webhook.ts'
import { attempt } from './attempt.ts'
import {
  type BatchPlan,
  depthOf,
  isSmooth,
  logPlace,
  planAhead,
  planNext,
  rereadBatches,
} from './plan-next.ts'

/**
 * Acknowledged batches are stored at the next multiple of this, so that all webhooks share a
 * commit.
 */
const writeEveryMs = 50

/** Acknowledged batches that trigger a commit; at twice as many, sending waits for it. */
const writtenTogether = 64

/**
 * Plan more batches in the next progress commit once half are left; at a quarter, commit
 * immediately.
 */
const [half, nearlyNone] = [0.5, 0.25]

/**
 * Sends to one webhook during one turn: one request after the other, each with a batch whose
 * identifier and boundaries are committed. While every response is a 2xx, the next request starts
 * immediately, and later commits store cursor and attempts, many at a time. Any other outcome is
 * settled and committed before the next request.
 */
export class Flow {
  readonly #context: DeliveryContext
  /** Entries of the planned batches, in order: the first belong to the open one. */
  #entries: (readonly LogEntry[])[] = []
  #sent = 0
  readonly #began: number
  #writing: Promise<void> | null = null
  /** Result of the background commits: the lease was lost, or a commit failed. */
  #isLost = false
  #fault: { readonly error: unknown } | null = null
  /** True if the log had no full batch after the planned ones at the last look. */
  #isDry = false
  #cancelTimer: (() => void) | null = null
  /** Progress of the deliveries that an attempt belongs to. */
  readonly #progress = (): WebhookProgress => this.#context.served.progress

  constructor(context: DeliveryContext) {
    this.#context = context
    this.#began = context.parts.clock.monotonic()
  }

  /** Runs until nothing can be sent, or others wait. */
  async run(): Promise<NextAction> {
    if (!mayBegin(this.#context.parts)) return { kind: 'DORMANT' }
    let rest = await this.#resume()
    while (rest === null) rest = await this.#step()
    return rest
  }

  /** Ends the background commits; the caller must call it after `run`, also after an error. */
  async end(): Promise<void> {
    this.#stopTimer()
    await this.#writing
    this.#stopTimer()
  }

  /** Takes up the planned batches as they were, or plans some. */
  async #resume(): Promise<NextAction | null> {
    const { served, parts } = this.#context
    const { position } = served
    const progress = waited(served.progress)
    if (progress.batch === null) return this.#proceed({ position, progress, deliveries: [] })

    if (!(await this.#isOwn(progress))) return { kind: 'OVER' }
    const place = logPlace(this.#context, position)
    const planned = [progress.batch, ...progress.ahead]
    this.#entries = [...(await rereadBatches(parts.store.log, place, planned))]
    const ahead = progress.ahead.slice(0, Math.max(this.#entries.length - 1, 0))
    if (this.#entries.length > 0) {
      served.progress = { ...progress, ahead }
      return null
    }
    // Retention removed a part of it. The rest becomes another batch with a new identifier.
    const left = { ...progress, batch: null, ahead }
    return this.#proceed({ position, progress: left, deliveries: [] })
  }

  /**
   * Checks that the plan is still current: another node may have planned other records under this
   * identifier.
   */
  async #isOwn(progress: WebhookProgress): Promise<boolean> {
    if (await isStillStored(this.#context)) return true
    const { position, unwritten } = this.#context.served
    return this.#write({ position, progress, deliveries: unwritten.splice(0) })
  }

  async #step(): Promise<NextAction | null> {
    if (this.#fault !== null) throw this.#fault.error
    if (this.#isLost) return this.#close({ kind: 'OVER' })
    const { batch } = this.#context.served.progress
    const entries = this.#entries[0]
    if (batch === null || entries === undefined) return this.#refill()

    const { served, slot } = this.#context
    const isSame = isAsRead(this.#context)
    // It may have been changed while this one waited for its turn, or for the answer before.
    const halt = this.#halt() ?? (isSame ? null : await haltAfterChange(this.#context))
    if (halt !== null) return this.#close(halt)
    this.#sent += 1
    slot.away()
    const attempted = await attempt(this.#context, { batch, entries }, this.#progress, null)
    slot.back()
    if (attempted === null) return this.#close({ kind: 'OVER' })
    const { action } = attempted
    const reached = { ...attempted, position: 'to' in action ? action.to : served.position }
    const isPlain = isSmooth(served.progress) && isSmooth(reached.progress)
    if (!isPlain || reached.progress.batch !== null) return this.#settle(reached)
    this.#acknowledge(reached)
    if (served.unwritten.length >= 2 * writtenTogether) await this.#writing
    return null
  }

  /** Returns the reason to end this turn; null to continue. */
  #halt(): NextAction | null {
    if (!mayBegin(this.#context.parts)) return { kind: 'DORMANT' }
    const isOver = this.#sent > 0 && (this.#context.slot.isContended() || this.#isReplaysTurn())
    return isOver ? { kind: 'AGAIN' } : null
  }

  /** Returns true if a replay should have the next turn: new records and replays alternate. */
  #isReplaysTurn(): boolean {
    const { clock } = this.#context.parts
    return clock.monotonic() - this.#began >= shareMs && mayReplay(this.#context.served, clock)
  }

  /** Records a plain success: the next request starts immediately, a later commit stores this one. */
  #acknowledge({ position, progress, deliveries }: Checkpoint): void {
    const served = this.#context.served
    served.position = position
    served.progress = opened(progress)
    served.unwritten.push(...deliveries)
    this.#entries.shift()
    // After the last batch the search for more commits it.
    if (served.progress.batch === null) return

    const isMany = served.unwritten.length >= writtenTogether
    if (isMany || this.#wantsMore(nearlyNone)) this.#writeBehind()
    else this.#writeLater()
  }

  /** Commits any other outcome and its consequences before the next request. */
  async #settle({ progress, deliveries, ...rest }: Checkpoint): Promise<NextAction | null> {
    await this.end()
    const isDone = progress.batch === null
    const all = [...this.#context.served.unwritten.splice(0), ...deliveries]
    const reached = { ...rest, progress: opened(progress), deliveries: all }
    const goesOn = isDone && reached.progress.batch !== null && progress.nextAttemptAt === null
    if (!goesOn) return this.#proceed(reached)
    this.#entries.shift()
    return (await this.#write(reached)) ? null : { kind: 'OVER' }
  }

  /** Plans the next batches; a background commit may have planned some already. */
  async #refill(): Promise<NextAction | null> {
    await this.end()
    const { position, progress, unwritten } = this.#context.served
    if (this.#fault !== null || this.#isLost || progress.batch !== null) return null
    return this.#proceed({ position, progress, deliveries: unwritten.splice(0) })
  }

  /** Continues from a checkpoint and commits it, together with the next batches if there are any. */
  async #proceed(reached: Checkpoint): Promise<NextAction | null> {
    const { reached: planned, next } = await this.#plan(reached)
    if (!isWorthWriting(this.#context.served, planned, this.#context.parts.clock)) {
      this.#context.served.position = planned.position
    } else if (!(await this.#write(planned))) {
      return { kind: 'OVER' }
    }
    if (next.kind !== 'PLANNED') return next
    this.#entries = [...next.entries]
    this.#isDry = false
    return null
  }

  /** Plans from a checkpoint. An unreadable log must not lose the receiver's response. */
  async #plan(reached: Checkpoint): Promise<BatchPlan> {
    const { served, parts } = this.#context
    try {
      return await planNext(this.#context, reached)
    } catch (error) {
      if (reached.deliveries.length === 0) throw error
      parts.events.failed(served.consumer.webhookId, error)
      return { reached, next: { kind: 'AGAIN' } }
    }
  }

  /** Ends the turn with everything committed. */
  async #close(rest: NextAction): Promise<NextAction> {
    await this.end()
    if (this.#fault !== null) throw this.#fault.error
    const { position, progress, unwritten } = this.#context.served
    if (unwritten.length === 0) return this.#isLost ? { kind: 'OVER' } : rest
    const holds = await this.#write({ position, progress, deliveries: unwritten.splice(0) })
    return holds ? rest : { kind: 'OVER' }
  }

  async #write(reached: Checkpoint): Promise<boolean> {
    const { served } = this.#context
    try {
      return await writeProgress(this.#context, reached)
    } catch (error) {
      served.unwritten.unshift(...reached.deliveries)
      throw error
    }
  }

  /** Returns true if less than this share of the planned batches is left, and more may exist. */
  #wantsMore(share: number): boolean {
    if (this.#isDry && !this.#context.served.hasNews) return false
    return (
      this.#entries.length <= depthOf(this.#context.served, this.#context.served.progress) * share
    )
  }

  #writeLater(): void {
    if (this.#writing !== null || this.#cancelTimer !== null) return
    const { clock } = this.#context.parts
    const leftMs = writeEveryMs - (clock.monotonic() % writeEveryMs)
    this.#cancelTimer = clock.after(leftMs, () => this.#writeBehind())
  }

  #stopTimer(): void {
    this.#cancelTimer?.()
    this.#cancelTimer = null
  }

  #writeBehind(): void {
    if (this.#writing !== null || this.#fault !== null || this.#isLost) return
    this.#stopTimer()
    this.#writing = this.#commitBehind()
      .catch((error: unknown) => {
        this.#fault = { error }
      })
      .finally(() => {
        this.#writing = null
        if (this.#context.served.unwritten.length > 0) this.#writeLater()
      })
  }

  /** Commits the progress while requests continue, and plans more batches if few are left. */
  async #commitBehind(): Promise<void> {
    const { served } = this.#context
    const nothing = { batches: [], entries: [] }
    const wantsMore = this.#wantsMore(half)
    const more = wantsMore ? await planAhead(this.#context) : nothing
    if (wantsMore) this.#isDry = more.batches.length === 0

    const deliveries = served.unwritten.splice(0)
    const { position, progress } = served
    const planned = opened({ ...progress, ahead: [...progress.ahead, ...more.batches] })
    const reached = { position, progress: planned, deliveries }
    try {
      this.#isLost = !(await commitProgress(this.#context, reached))
    } catch (error) {
      served.unwritten.unshift(...deliveries)
      throw error
    }
    if (this.#isLost) return
    const now = served.progress
    served.progress = opened({ ...now, ahead: [...now.ahead, ...more.batches] })
    this.#entries.push(...more.entries)
  }
}
