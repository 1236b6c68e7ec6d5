import type { LogEntry } from '../../core/ports/notification-log.ts'
import { attempt } from './attempt.ts'
import { rereadBatches } from './batch.ts'
import type { DeliveryParts } from '../workers/delivery-parts.ts'
import { mayBegin, mayReplay, shareMs } from '../workers/may-send.ts'
import { depthOf, isSmooth, logPlace, planAhead, planNext, type BatchPlan } from './plan-next.ts'
import { opened, waited, type WebhookProgress } from '../progress/progress.ts'
import { isAsRead, isStillStored, readTarget } from '../workers/read-target.ts'
import type { NextAction } from './next-action.ts'
import type { ServedWebhook } from '../workers/served-webhook.ts'
import type { WebhookTarget } from './target.ts'
import type { WebhookSlot } from '../workers/concurrency-limiter.ts'
import { commitProgress, writeProgress } from '../progress/write-progress.ts'
import type { Checkpoint } from '../progress/checkpoint.ts'

/**
 * What was acknowledged is written down after this at the latest: at the next multiple of it, so that
 * all webhooks share a commit.
 */
const writeEveryMs = 50

/** So many acknowledged batches are written together; nothing is sent while twice as many are not. */
const writtenTogether = 64

/** More is planned with a commit that is due where half of it is left, and in one of its own before none is. */
const [half, nearlyNone] = [0.5, 0.25]

/** The cursor of a webhook that wants nothing of what is appended is written this often at most. */
const idleWriteMs = 60_000

/**
 * What is sent to one webhook in one turn: strictly one request after the other, each of a batch
 * whose identifier and boundaries were committed before. As long as every answer is a 2xx the next
 * request begins at once, and the cursor and the attempts are written behind it, many in one commit.
 * Whatever else is answered is settled and written before anything else is sent.
 */
export class Flow {
  readonly #served: ServedWebhook
  readonly #parts: DeliveryParts
  readonly #turn: WebhookSlot
  readonly #target: WebhookTarget
  /** What the planned batches hold, in their order: the first is the open one's. */
  #entries: (readonly LogEntry[])[] = []
  #sent = 0
  readonly #began: number
  #writing: Promise<void> | null = null
  /** What became of the commits behind: the lease was lost, or one failed. */
  #isLost = false
  #fault: { readonly error: unknown } | null = null
  /** The log held no full batch behind those planned when it was last looked at. */
  #isDry = false
  #cancelTimer: (() => void) | null = null
  /** How the deliveries fare that an attempt is one of. */
  readonly #progress = (): WebhookProgress => this.#served.progress

  constructor(
    served: ServedWebhook,
    target: WebhookTarget,
    turn: WebhookSlot,
    parts: DeliveryParts,
  ) {
    this.#served = served
    this.#parts = parts
    this.#turn = turn
    this.#target = target
    this.#began = parts.clock.monotonic()
  }

  /** Goes on until there is nothing to send just now, or others wait. */
  async run(): Promise<NextAction> {
    if (!mayBegin(this.#parts)) return { kind: 'DORMANT' }
    let rest = await this.#resume()
    while (rest === null) rest = await this.#step()
    return rest
  }

  /** Must be called when it has run, well or not: nothing is written behind any more. */
  async end(): Promise<void> {
    this.#stopTimer()
    await this.#writing
    this.#stopTimer()
  }

  /** Takes up the planned batches as they were, or plans some. */
  async #resume(): Promise<NextAction | null> {
    const { position } = this.#served
    const progress = waited(this.#served.progress)
    if (progress.batch === null) return this.#proceed({ position, progress, deliveries: [] })

    if (!(await this.#isOwn(progress))) return { kind: 'OVER' }
    const place = logPlace(this.#served, this.#target, position)
    const planned = [progress.batch, ...progress.ahead]
    this.#entries = [...(await rereadBatches(this.#parts.store.log, place, planned))]
    const ahead = progress.ahead.slice(0, Math.max(this.#entries.length - 1, 0))
    if (this.#entries.length > 0) {
      this.#served.progress = { ...progress, ahead }
      return null
    }
    // Part of it became too old to be kept. What is left is another batch, under an identifier of its own.
    const left = { ...progress, batch: null, ahead }
    return this.#proceed({ position, progress: left, deliveries: [] })
  }

  /** A node that was not told must not send what it had planned as if it held other records now. */
  async #isOwn(progress: WebhookProgress): Promise<boolean> {
    if (await isStillStored(this.#served, this.#parts)) return true
    const { position, unwritten } = this.#served
    return this.#write({ position, progress, deliveries: unwritten.splice(0) })
  }

  async #step(): Promise<NextAction | null> {
    if (this.#fault !== null) throw this.#fault.error
    if (this.#isLost) return this.#close({ kind: 'OVER' })
    const { batch } = this.#served.progress
    const entries = this.#entries[0]
    if (batch === null || entries === undefined) return this.#refill()

    const served = this.#served
    const isSame = isAsRead(served, this.#target, this.#parts)
    const halt = this.#halt() ?? (isSame ? null : await this.#reread())
    if (halt !== null) return this.#close(halt)
    this.#sent += 1
    this.#turn.away()
    const ready = { batch, entries }
    const attempted = await attempt(served, this.#target, ready, this.#progress, null, this.#parts)
    this.#turn.back()
    if (attempted === null) return this.#close({ kind: 'OVER' })
    const { action } = attempted
    const reached = { ...attempted, position: 'to' in action ? action.to : served.position }
    const isPlain = isSmooth(served.progress) && isSmooth(reached.progress)
    if (!isPlain || reached.progress.batch !== null) return this.#settle(reached)
    this.#acknowledge(reached)
    if (served.unwritten.length >= 2 * writtenTogether) await this.#writing
    return null
  }

  /** Why nothing more is sent in this turn; null where there is no reason. */
  #halt(): NextAction | null {
    if (!mayBegin(this.#parts)) return { kind: 'DORMANT' }
    const isOver = this.#sent > 0 && (this.#turn.isContended() || this.#isReplaysTurn())
    return isOver ? { kind: 'AGAIN' } : null
  }

  /** It may have been changed while this one waited for its turn, or for the answer before. */
  async #reread(): Promise<NextAction | null> {
    const now = await readTarget(this.#served, this.#parts)
    if (now === null) return { kind: 'OVER' }
    if (!now.active) return { kind: 'DORMANT' }
    return now === this.#target ? null : { kind: 'AGAIN' }
  }

  /** What happens and what is sent again take turns, so that neither waits for the end of the other. */
  #isReplaysTurn(): boolean {
    const { clock } = this.#parts
    return clock.monotonic() - this.#began >= shareMs && mayReplay(this.#served, clock)
  }

  /** A plain success: goes on at once, and writes it down later. */
  #acknowledge({ position, progress, deliveries }: Checkpoint): void {
    const served = this.#served
    served.position = position
    served.progress = opened(progress)
    served.unwritten.push(...deliveries)
    this.#entries.shift()
    if (served.progress.batch === null) return

    const isMany = served.unwritten.length >= writtenTogether
    if (isMany || this.#wantsMore(nearlyNone)) this.#writeBehind()
    else this.#writeLater()
  }

  /** Anything else: writes it down with what follows from it, before anything else is sent. */
  async #settle({ progress, deliveries, ...rest }: Checkpoint): Promise<NextAction | null> {
    await this.end()
    const isDone = progress.batch === null
    const all = [...this.#served.unwritten.splice(0), ...deliveries]
    const reached = { ...rest, progress: opened(progress), deliveries: all }
    const goesOn = isDone && reached.progress.batch !== null && progress.nextAttemptAt === null
    if (!goesOn) return this.#proceed(reached)
    this.#entries.shift()
    return (await this.#write(reached)) ? null : { kind: 'OVER' }
  }

  /** Nothing planned is left: what is written behind may bring more, else it is looked for. */
  async #refill(): Promise<NextAction | null> {
    await this.end()
    const { position, progress, unwritten } = this.#served
    if (this.#fault !== null || this.#isLost || progress.batch !== null) return null
    return this.#proceed({ position, progress, deliveries: unwritten.splice(0) })
  }

  /** Goes on from what was reached; writes it, together with the next batches where there are any. */
  async #proceed(reached: Checkpoint): Promise<NextAction | null> {
    const { reached: planned, next } = await this.#plan(reached)
    if (!this.#isWorthWriting(planned)) {
      this.#served.position = planned.position
    } else if (!(await this.#write(planned))) {
      return { kind: 'OVER' }
    }
    if (next.kind !== 'PLANNED') return next
    this.#entries = [...next.entries]
    this.#isDry = false
    return null
  }

  /** What the receiver said must not be lost because the log cannot be read on just now. */
  async #plan(reached: Checkpoint): Promise<BatchPlan> {
    try {
      return await planNext(this.#served, this.#target, reached, this.#parts)
    } catch (error) {
      if (reached.deliveries.length === 0) throw error
      this.#parts.events.failed(this.#served.consumer.webhookId, error)
      return { reached, next: { kind: 'AGAIN' } }
    }
  }

  #isWorthWriting({ position, progress, deliveries }: Checkpoint): boolean {
    const served = this.#served
    if (deliveries.length > 0 || progress !== served.progress) return true
    return (
      position !== served.position && this.#parts.clock.monotonic() - served.writtenAt > idleWriteMs
    )
  }

  /** Ends the turn with everything written down. */
  async #close(rest: NextAction): Promise<NextAction> {
    await this.end()
    if (this.#fault !== null) throw this.#fault.error
    const { position, progress, unwritten } = this.#served
    if (unwritten.length === 0) return this.#isLost ? { kind: 'OVER' } : rest
    const holds = await this.#write({ position, progress, deliveries: unwritten.splice(0) })
    return holds ? rest : { kind: 'OVER' }
  }

  async #write(reached: Checkpoint): Promise<boolean> {
    try {
      return await writeProgress(this.#served, this.#target, reached, this.#parts)
    } catch (error) {
      this.#served.unwritten.unshift(...reached.deliveries)
      throw error
    }
  }

  /** Whether less than this share of what can be planned is left, and there may be more. */
  #wantsMore(share: number): boolean {
    if (this.#isDry && !this.#served.hasNews) return false
    return this.#entries.length <= depthOf(this.#served, this.#served.progress) * share
  }

  #writeLater(): void {
    if (this.#writing !== null || this.#cancelTimer !== null) return
    const { clock } = this.#parts
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
        if (this.#served.unwritten.length > 0) this.#writeLater()
      })
  }

  /** While requests go on: writes how far they have come, and plans more where little is left. */
  async #commitBehind(): Promise<void> {
    const served = this.#served
    const nothing = { batches: [], entries: [] }
    const wantsMore = this.#wantsMore(half)
    const more = wantsMore ? await planAhead(served, this.#target, this.#parts) : nothing
    if (wantsMore) this.#isDry = more.batches.length === 0

    const deliveries = served.unwritten.splice(0)
    const { position, progress } = served
    const planned = opened({ ...progress, ahead: [...progress.ahead, ...more.batches] })
    const reached = { position, progress: planned, deliveries }
    try {
      this.#isLost = !(await commitProgress(served, this.#target, reached, this.#parts))
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
