import { sameJson, type JsonObject } from '../../core/json.ts'
import { initialProgress, type WebhookProgress } from './progress.ts'

/** Webhook before and after a change by its owner, with its hidden fields. */
export interface WebhookChange {
  readonly before: JsonObject
  readonly after: JsonObject
  readonly hiddenBefore: JsonObject | null
  readonly hiddenAfter: JsonObject
  /** The owner says `active: true` in this very request. */
  readonly isActivated: boolean
}

/** Fields that select the records of a batch. */
const selection = ['types', 'statuses', 'maxBatch'] as const

/** Fields that affect sending. */
const manner = ['url', 'active', 'maxWaitMs', 'timeoutMs', 'signatures'] as const

/** Returns true if a change affects delivery. */
export function concernsDelivery(change: WebhookChange): boolean {
  return (
    isEnabled(change) ||
    differs(change, [...selection, ...manner]) ||
    !sameJson(change.hiddenBefore ?? undefined, change.hiddenAfter)
  )
}

/** Returns true if a change selects other records. */
export function changesSelection(change: WebhookChange): boolean {
  return differs(change, selection)
}

/**
 * Returns the progress after a change by the owner: the cause of a failure may be fixed, so retry
 * immediately.
 */
export function changedProgress(progress: WebhookProgress, change: WebhookChange): WebhookProgress {
  const hurried = hurry(progress)
  const isFresh = isEnabled(change) || differs(change, ['url'])
  const next = isFresh ? afresh(hurried) : hurried
  // An identifier must not be used for other records.
  return changesSelection(change)
    ? { ...next, batch: null, ahead: [], suspects: 0, limit: null }
    : next
}

/** Forgets the failures; the batches that are planned stay, under their identifiers. */
function afresh({
  batch,
  ahead,
  lastSuccessAt,
  alarmedAt,
  from,
  replays,
}: WebhookProgress): WebhookProgress {
  const kept = batch === null ? null : { ...batch, refusals: 0 }
  const again = replays.map((replay) => ({ ...replay, flow: afresh(replay.flow) }))
  return { ...initialProgress, batch: kept, ahead, lastSuccessAt, alarmedAt, from, replays: again }
}

/** Removes the waits. */
function hurry(progress: WebhookProgress): WebhookProgress {
  const replays = progress.replays.map((replay) => ({ ...replay, flow: hurry(replay.flow) }))
  return { ...progress, nextAttemptAt: null, replays }
}

/** Made active again after its owner, or the service, had disabled it. */
function isEnabled({ before, after, isActivated }: WebhookChange): boolean {
  if (before['active'] === false) return after['active'] === true
  return isActivated && before['state'] === 'DISABLED'
}

function differs({ before, after }: WebhookChange, names: readonly string[]): boolean {
  return names.some((name) => !sameJson(before[name], after[name]))
}
