import { webhooks } from '../../collections/webhooks.ts'
import { countExactly, limitReached } from '../../core/account-limits.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../core/json.ts'
import type { LogReader } from '../../core/ports/notification-log.ts'
import { invalidBody, type InputError } from '../../core/problem.ts'
import type { Random } from '../../core/ports/random.ts'
import type { Change, RuleContext, Ruled, Rules } from '../../core/declaration/rules.ts'
import {
  changedProgress,
  changesSelection,
  concernsDelivery,
  type WebhookChange,
} from '../progress/changed-progress.ts'
import type { EgressGuard } from '../egress/guard.ts'
import {
  initialProgress,
  progressText,
  readProgress,
  type WebhookProgress,
} from '../progress/progress.ts'
import { asHidden, asWebhook, filterOf } from '../progress/stored-webhook.ts'
import { ruledHeaders } from './webhook-headers.ts'
import { ruledKeys, ruledSecrets } from './webhook-secrets.ts'
import { stateOf } from '../progress/write-progress.ts'
import type { Reader, Stored } from '../../core/ports/store.ts'
import { timestamp } from '../../core/timestamp.ts'

/** Dependencies of the webhook rules. */
export interface WebhookRuleParts {
  readonly log: LogReader
  readonly guard: EgressGuard
  readonly random: Random
}

/** Rules of webhooks: allowed URLs, secrets, and the cursor in the log. */
export function webhookRules(parts: WebhookRuleParts): Rules {
  return {
    faults: async (change, context) => checked(change, context, parts).errors,
    write: (change, context) => write(change, context, parts),
    live: (instances, reader) =>
      Promise.all(instances.map((stored) => webhookLive(stored, reader, parts.log))),
  }
}

/** Returns header fields, secrets and key pairs after a change, and its faults. */
function checked(change: Change, { clock }: RuleContext, { guard, random }: WebhookRuleParts) {
  const { headerValues = {}, secrets: old = [], keyPairs = [] } = asHidden(change.hiddenBefore)
  const headers = ruledHeaders(change.after['headers'], headerValues, isMoved(change))
  const secrets = ruledSecrets(change.input, old, random, clock.now())
  const keys = ruledKeys(change, keyPairs, random, clock.now())
  const errors = [...urlFaults(change, guard), ...headers.errors, ...secrets.errors, ...keys.errors]
  return { headers, secrets, keys, errors }
}

async function write(
  change: Change,
  context: RuleContext,
  parts: WebhookRuleParts,
): Promise<Ruled> {
  const { before, hiddenBefore, after } = change
  if (before === null) await checkCount(context)
  const known = asHidden(hiddenBefore)
  const { headers, secrets, keys, errors } = checked(change, context, parts)
  if (errors.length > 0) throw invalidBody(errors)

  const hidden = {
    version: known.version ?? context.version,
    headerValues: headers.values,
    secrets: secrets.secrets,
    ...(keys.keyPairs.length === 0 ? {} : { keyPairs: keys.keyPairs }),
  }
  const instance = { ...after, headers: headers.shown, publicKey: keys.publicKey }
  const isActivated = change.body['active'] === true
  const progress =
    before === null
      ? await add(String(after['id']), context)
      : await move(
          { before, after: instance, hiddenBefore, hiddenAfter: hidden, isActivated },
          context,
          parts.log,
        )

  const revealed = before === null ? secrets.secrets[0]?.secret : secrets.made
  return {
    instance: progress === null ? instance : { ...instance, ...stateFor(progress, instance) },
    hidden,
    ...(revealed ? { reveal: { secret: revealed } } : {}),
  }
}

/** Returns true if the URL of a webhook changes to another origin. */
function isMoved({ before, after }: Change): boolean {
  const [old, now] = [before?.['url'], after['url']]
  if (typeof old !== 'string' || typeof now !== 'string') return false
  return URL.parse(old)?.origin !== URL.parse(now)?.origin
}

async function checkCount({ writer, principal }: RuleContext): Promise<void> {
  const maximum = principal.limits?.webhooks ?? Infinity
  const count = await countExactly(writer, webhooks)
  if (count >= maximum) throw limitReached('webhooks', maximum)
}

/** A URL is checked when it is given: what an operator allowed once is not refused in passing. */
function urlFaults({ before, after }: Change, guard: EgressGuard): readonly InputError[] {
  const url = after['url']
  if (typeof url !== 'string' || url === before?.['url']) return []
  const detail = guard.refusal(url)
  return detail === null ? [] : [{ pointer: '/url', detail }]
}

async function add(id: string, { writer, transaction }: RuleContext): Promise<WebhookProgress> {
  await transaction.consumers.put(writer.account, id, progressText(initialProgress))
  return initialProgress
}

/** Passes a change to the webhook's worker; returns null if it does not affect delivery. */
async function move(
  change: WebhookChange,
  context: RuleContext,
  log: LogReader,
): Promise<WebhookProgress | null> {
  if (!concernsDelivery(change)) return null
  const { writer } = context
  const id = String(change.before['id'])
  const consumer = await writer.findConsumer(writer.account, id)
  if (consumer === null) return add(id, context)

  const progress = readProgress(consumer.progress)
  const next = changedProgress(progress, change)
  const place = progress.from ?? consumer.position
  if (changesSelection(change) && progress.batch === null) {
    // A new selection applies to new records only: without a backlog, start at the end.
    const end = await log.end(writer.account)
    const old = filterOf(asWebhook(change.before))
    const waiting = await log.read(writer.account, place, old, 1)
    return reset(waiting.length === 0 ? { ...next, from: end } : next, id, context)
  }
  return reset(next, id, context)
}

async function reset(
  progress: WebhookProgress,
  id: string,
  { writer, transaction }: RuleContext,
): Promise<WebhookProgress> {
  await transaction.consumers.put(writer.account, id, progressText(progress))
  return progress
}

function stateFor(progress: WebhookProgress, instance: JsonObject): JsonObject {
  return { ...stateOf(progress, asWebhook(instance).active ?? true) }
}

/** Returns the live fields of a webhook: its lag and the times of its last and next deliveries. */
export async function webhookLive(
  { account, id, doc }: Stored,
  reader: Reader,
  log: LogReader,
): Promise<JsonObject> {
  const consumer = await reader.findConsumer(account, id)
  if (consumer === null) return { lag: 0, lastSuccessAt: null, nextAttemptAt: null }

  const instance: JsonValue = JSON.parse(doc)
  const webhook = asWebhook(isJsonObject(instance) ? instance : {})
  const progress = readProgress(consumer.progress)
  const isRetrying = webhook.state === 'RETRYING'
  return {
    lag: await log.count(account, progress.from ?? consumer.position, filterOf(webhook)),
    lastSuccessAt: timeOrNull(progress.lastSuccessAt),
    nextAttemptAt: isRetrying ? timeOrNull(progress.nextAttemptAt) : null,
  }
}

function timeOrNull(instant: number | null): string | null {
  return instant === null ? null : timestamp(instant)
}
