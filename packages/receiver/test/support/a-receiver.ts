import {
  receiver,
  type ReceiverClock,
  type NotificationRecord,
  type Receiver,
  type ReceiverOptions,
  type Refusal,
} from '../../src/index.ts'
import { known, nowSeconds } from './known.ts'

/** A receiver at the tests' moment that notes what it is handed and what went wrong. */
interface TestReceiver {
  readonly receive: Receiver
  readonly handled: NotificationRecord[]
  readonly errors: Refusal[]
}

export function aReceiver(options: Partial<ReceiverOptions> = {}): TestReceiver {
  const handled: NotificationRecord[] = []
  const errors: Refusal[] = []
  const note = (record: NotificationRecord) => void handled.push(record)

  const receive = receiver({
    secrets: known.secret,
    clock: stoppedClock,
    onError: (refusal) => void errors.push(refusal),
    RECEIVED: note,
    SENT: note,
    ...options,
  })
  return { receive, handled, errors }
}

/** It is always the tests' moment, and no wait ever ends. */
export const stoppedClock: ReceiverClock = {
  now: () => nowSeconds * 1000,
  after: () => () => undefined,
}

/** Returns the problem of an answer that has one. */
export function problemOf(answer: { readonly body: string }): Record<string, unknown> {
  return JSON.parse(answer.body)
}
