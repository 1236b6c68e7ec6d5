import type { Clock } from '../../core/ports/clock.ts'
import type { NewId } from '../../core/id.ts'
import type { JsonObject, JsonValue } from '../../core/json.ts'
import { isAlert } from '../../core/ports/notification-log.ts'
import { Problem } from '../../core/problem.ts'
import type { ProposedInstance, Rules } from '../../core/declaration/rules.ts'
import { timestamp } from '../../core/timestamp.ts'
import { bodyOf } from '../attempts/batch.ts'
import type { DeliveryParts } from '../workers/delivery-parts.ts'
import { explain, statusOf } from '../attempts/outcome.ts'
import { requestHeaders } from '../attempts/request-headers.ts'
import { sampleRecord, type SampleType } from './sample-record.ts'
import { targetOf } from '../attempts/target.ts'
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
  const body = bodyOf([parts.recordIn(target.version, JSON.stringify(record))])
  // The signed prefix marks the request as a test.
  const batchId = newId('test')
  const headers = requestHeaders(target, batchId, body, parts.userAgent, beganAt)
  const { url, timeoutMs } = target
  const { outcome, response } = await parts.post({ url, headers, body, timeoutMs }, leaving)
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
