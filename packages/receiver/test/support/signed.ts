import { secretKey, sign, type AlertRecord, type NotificationRecord } from '../../src/index.ts'
import { known, nowSeconds } from './known.ts'

export interface Signed {
  readonly method: string
  readonly headers: Record<string, string>
  readonly body: Uint8Array<ArrayBuffer>
}

interface Choices {
  readonly secret?: string
  readonly id?: string
  readonly timestamp?: number
}

/**
 * A POST with the three signed headers. `payload` is sent as it is if it is bytes or text, else as
 * JSON.
 */
export function signed(payload: unknown, choices: Choices = {}): Signed {
  const { secret = known.secret, id = 'msg_1', timestamp = nowSeconds } = choices
  const body = bytesOf(payload)

  return {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': sign(secretKey(secret), { id, timestamp, body }),
    },
    body,
  }
}

export function received(changes: Partial<NotificationRecord> = {}): NotificationRecord {
  return { ...complete, id: 'message_1', type: 'RECEIVED', ...changes }
}

export function sent(changes: Partial<NotificationRecord> = {}): NotificationRecord {
  const status = { id: 'DELIVERED.null', type: 'DELIVERED' } as const
  return { ...complete, id: 'message_2', type: 'SENT', status, ...changes }
}

export function alert(changes: Partial<AlertRecord> = {}): AlertRecord {
  return {
    id: 'alert_1',
    type: 'WEBHOOK_DISABLED',
    webhook: { id: 'shop', name: null },
    state: 'DISABLED',
    stateReason: 'The receiver answered 410: it is gone for good.',
    lag: 3,
    date: '2021-02-25T15:02:10.000Z',
    ...changes,
  }
}

const complete = {
  from: '+4915112345678',
  to: '+4915187654321',
  body: 'Grüße 👋',
  encoding: 'UNICODE',
  protocolId: 0,
  messageClass: 1,
  numberOfParts: 1,
  creditCost: 1,
  submission: { id: 'submission_1', date: '2021-02-25T15:02:10.000Z' },
  status: { id: 'RECEIVED.null', type: 'RECEIVED' },
  relatedSentMessageId: null,
  userSuppliedId: null,
} as const

function bytesOf(payload: unknown): Uint8Array<ArrayBuffer> {
  if (payload instanceof Uint8Array) return new Uint8Array(payload)
  const text = typeof payload === 'string' ? payload : JSON.stringify(payload)
  return new TextEncoder().encode(text)
}
