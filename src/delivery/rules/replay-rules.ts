import { webhooks } from '../../collections/webhooks.ts'
import { sameJson, type JsonObject } from '../../core/json.ts'
import { invalidBody, Problem, type InputError } from '../../core/problem.ts'
import type { Change, Ruled, RuleContext, Rules } from '../../core/declaration/rules.ts'
import {
  initialProgress,
  progressText,
  readProgress,
  type WebhookProgress,
  type ReplayProgress,
} from '../progress/progress.ts'
import { asReplay, changedReplay, hasEnded, replayLive } from '../progress/stored-replay.ts'
import { asWebhook } from '../progress/stored-webhook.ts'

/** Maximum unfinished replays of a webhook: each delivery stores them all. */
const replaysMax = 10

/** Fields that a client sets once. */
const chosen = ['from', 'until', 'types', 'messageIds', 'failedOnly'] as const

/**
 * Rules of replays: a new one sends a range of the log again, up to the webhook's cursor; a change
 * of its state cancels it, and other changes are refused.
 */
export const replayRules: Rules = {
  faults: async ({ before, after }) => (before === null ? timeFaults(after) : []),
  write: (change, context) =>
    change.before === null ? begin(change, context) : cancel(change, change.before, context),
  live: (instances, reader) => Promise.all(instances.map((stored) => replayLive(stored, reader))),
}

async function begin(change: Change, context: RuleContext): Promise<Ruled> {
  const errors = timeFaults(change.after)
  if (errors.length > 0) throw invalidBody(errors)
  const { id, types } = change.after
  const { progress, position } = await placeOf(change, context)
  if (progress.replays.length >= replaysMax) {
    const detail = `The webhook has ${replaysMax} replays that have not come to their end.`
    throw new Problem('conflict', detail)
  }

  const stored = await context.writer.find(webhooks, { id: String(change.parent) })
  const webhook = asWebhook(JSON.parse(stored?.doc ?? '{}'))
  const begun: ReplayProgress = {
    id: String(id),
    position: null,
    end: progress.from ?? position,
    sent: 0,
    setAside: 0,
    reached: null,
    flow: initialProgress,
  }
  await keep({ ...progress, replays: [...progress.replays, begun] }, change, context)
  const instance = {
    ...change.after,
    types: types ?? [...(webhook.types ?? webhooks.fields.types.default)],
    state: 'WAITING',
  }
  const statuses = webhook.statuses ?? webhooks.fields.statuses.default
  return { instance, hidden: { ...change.hiddenAfter, statuses: [...statuses] } }
}

/** The only change there is. */
async function cancel(
  { method, body, ...change }: Change,
  before: JsonObject,
  context: RuleContext,
): Promise<Ruled> {
  if (chosen.some((name) => !sameJson(before[name], change.after[name]))) {
    throw new Problem('conflict', 'A replay cannot be changed. Cancel it, and make another.')
  }
  const unchanged = { instance: before, hidden: change.hiddenBefore }
  const { state = before['state'] } = body
  if (sameJson(state, before['state'])) return unchanged
  if (state !== 'CANCELLED') {
    throw new Problem('conflict', 'The only state that a client can set is CANCELLED.')
  }
  const known = asReplay(before)
  if (hasEnded({ state: known.state ?? 'WAITING' })) {
    throw new Problem('conflict', `The replay is ${known.state}.`)
  }

  const given = { ...change, method, body }
  const { progress } = await placeOf(given, context)
  const progressed = progress.replays.find(({ id }) => id === before['id'])
  const others = progress.replays.filter((each) => each !== progressed)
  await keep({ ...progress, replays: others }, given, context)
  const cancelled = { state: 'CANCELLED', stateReason: null } as const
  const now = context.clock.now()
  if (progressed === undefined) return { ...unchanged, instance: { ...before, ...cancelled } }
  return changedReplay(before, change.hiddenBefore, { ...cancelled, progress: progressed }, now)
}

function timeFaults({ from, until }: JsonObject): readonly InputError[] {
  const isEmpty = typeof from === 'string' && typeof until === 'string' && until <= from
  return isEmpty ? [{ pointer: '/until', detail: 'must be after `from`' }] : []
}

/** Returns the cursor of the webhook. */
async function placeOf({ parent }: Change, { writer, transaction }: RuleContext) {
  const { consumers } = transaction
  const webhookId = String(parent)
  const find = () => writer.findConsumer(writer.account, webhookId)
  let consumer = await find()
  if (consumer === null) {
    await consumers.put(writer.account, webhookId, progressText(initialProgress))
    consumer = await find()
  }
  if (consumer === null) throw new Error('a webhook has a place in the log')
  const { position } = consumer
  return { position, progress: readProgress(consumer.progress) }
}

/** Resets the webhook's lease, so that its worker starts again with the new progress. */
async function keep(
  progress: WebhookProgress,
  { parent }: Change,
  { writer, transaction }: RuleContext,
): Promise<void> {
  await transaction.consumers.put(writer.account, String(parent), progressText(progress))
}
