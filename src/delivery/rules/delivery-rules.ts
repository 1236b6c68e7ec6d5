import type { AlertRecord } from '../../collections/alerts.ts'
import { type Message, notificationRecord, recordFields } from '../../collections/messages.ts'
import { defaultsOf } from '../../core/declaration/field.ts'
import type { ProposedInstance, Rules } from '../../core/declaration/rules.ts'
import type { NewId } from '../../core/id.ts'
import type { JsonObject, JsonValue } from '../../core/json.ts'
import type { Clock, Instant } from '../../core/ports/clock.ts'
import { type AlertType, isAlert } from '../../core/ports/notification-log.ts'
import { Problem } from '../../core/problem.ts'
import { timestamp } from '../../core/timestamp.ts'
import { explain, statusOf } from '../egress/post.ts'
import { requestTo } from '../attempts/attempt.ts'
import { targetOf } from '../attempts/target.ts'
import type { DeliveryParts } from '../workers/delivery-parts.ts'
import { testLimits } from './test-limits.ts'

/** Dependencies of webhook tests. */
export interface TestParts extends Pick<DeliveryParts, 'post' | 'recordIn' | 'userAgent'> {
  readonly clock: Clock
  readonly newId: NewId
  /** Ends the tests that wait for an answer. */
  readonly leaving: AbortSignal
}

/**
 * Rules of delivery attempts: creating one tests the webhook. It sends a sample immediately, in any
 * state of the webhook; the cursor stays.
 */
export function deliveryRules(parts: TestParts): Rules {
  const limits = testLimits()
  return {
    ahead: async (asked) => {
      const { account, id } = webhookOf(asked)
      const end = limits.begin(account, id)
      try {
        return await test(asked, parts)
      } finally {
        end()
      }
    },
    write: async ({ after, ahead }) => ({ instance: { ...after, ...ahead }, hidden: null }),
  }
}

async function test(asked: ProposedInstance, parts: TestParts): Promise<JsonObject> {
  const { clock, newId, leaving } = parts
  const target = targetOf(webhookOf(asked))
  const beganAt = clock.now()
  const began = clock.monotonic()
  const record = sampleRecord(typeOf(asked.input['type']), newId, beganAt)
  // The signed prefix marks the request as a test.
  const batchId = newId('test')
  const request = requestTo(target, batchId, [JSON.stringify(record)], beganAt, parts)
  const { outcome, response } = await parts.post(request, leaving)
  if (leaving.aborted) throw stopped()

  return {
    batchId,
    attempt: 1,
    date: timestamp(beganAt),
    durationMs: Math.round(clock.monotonic() - began),
    outcome: outcome.kind,
    statusCode: statusOf(outcome),
    error: explain(outcome),
    response,
    messageIds: [record['id'] ?? null],
    test: true,
    replay: null,
  }
}

function typeOf(asked: JsonValue | undefined): SampleType {
  return asked === 'RECEIVED' || isAlert(asked) ? asked : 'SENT'
}

function webhookOf({ parent }: ProposedInstance): NonNullable<ProposedInstance['parent']> {
  if (parent === null) throw new Error('an attempt is nested in a webhook')
  return parent
}

function stopped(): Problem {
  const headers = { 'retry-after': '5' }
  return new Problem('unavailable', 'The service stops. Test the webhook again.', { headers })
}

/** A number that is reserved for fiction: a mistake reaches no person. */
const sampleNumber = '+447700900123'
const sampleOwnNumber = '+447700900456'

/** The type of a record that a test sends. */
type SampleType = Message['type'] | AlertType

/** Returns the record of an event that did not happen, to test a receiver. */
function sampleRecord(type: SampleType, newId: NewId, now: Instant): JsonObject {
  return isAlert(type) ? sampleAlert(type, newId, now) : sampleMessage(type, newId, now)
}

function sampleMessage(type: Message['type'], newId: NewId, now: Instant): JsonObject {
  const isSent = type === 'SENT'
  const status = isSent ? 'DELIVERED' : 'RECEIVED'
  return notificationRecord({
    ...defaultsOf(recordFields),
    id: newId('message'),
    type,
    from: isSent ? sampleOwnNumber : sampleNumber,
    to: isSent ? sampleNumber : sampleOwnNumber,
    body: 'This is a test.',
    encoding: 'TEXT',
    numberOfParts: 1,
    creditCost: 0,
    submission: { id: newId('submission'), date: timestamp(now) },
    status: { id: `${status}.null`, type: status },
  })
}

function sampleAlert(type: AlertType, newId: NewId, now: Instant): AlertRecord {
  const isDisabled = type === 'WEBHOOK_DISABLED'
  return {
    id: newId('alert'),
    type,
    webhook: { id: 'example', name: 'Example' },
    state: isDisabled ? 'DISABLED' : 'ACTIVE',
    stateReason: isDisabled ? 'This is a test.' : null,
    lag: 0,
    date: timestamp(now),
  }
}
