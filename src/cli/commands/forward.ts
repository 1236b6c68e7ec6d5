import { sign, type SecretKey } from '@nuncio/receiver'
import { createHash } from 'node:crypto'
import { wait } from '../../core/ports/clock.ts'
import { networkReason } from '../failure-text.ts'
import type { ProcessContext } from '../process-context.ts'
import { programVersion } from './version.ts'

/** A notification with its position in the log. */
export interface ForwardedEvent {
  readonly id: string
  readonly record: object
}

/** The result of forwarding a notification. */
export type ForwardOutcome =
  | { readonly kind: 'ANSWERED'; readonly status: number }
  | { readonly kind: 'UNREACHABLE'; readonly reason: string }

/** Forwards one notification to the receiver; never throws. */
export type Forward = (event: ForwardedEvent, signal: AbortSignal) => Promise<ForwardOutcome>

/** The waits between attempts: an unreachable receiver is probably restarting. */
const retryDelaysMs = [500, 1_000, 2_000, 4_000]

/** The default timeout of a webhook. */
const answerMsMax = 15_000

/**
 * Makes the function that posts to a receiver as a webhook does: a JSON array of one record, signed
 * after Standard Webhooks. It retries a few times if the receiver is unreachable, with the same
 * `webhook-id`; any response counts.
 */
export function forwarder(
  context: Pick<ProcessContext, 'fetch' | 'clock' | 'random'>,
  url: string,
  key: SecretKey,
): Forward {
  // Differs between runs, so that the receiver does not skip a notification as a duplicate.
  const salt = context.random.bytes(16)

  return async (event, signal) => {
    const body = JSON.stringify([event.record])
    const digest = createHash('sha256').update(salt).update(`${event.id}\n${body}`).digest('hex')
    const request = { url, id: `listen_${digest.slice(0, 32)}`, body, key, signal }

    let outcome = await attempt(context, request)
    for (const delayMs of retryDelaysMs) {
      if (outcome.kind === 'ANSWERED' || signal.aborted) break
      await wait(context.clock, delayMs, signal)
      outcome = await attempt(context, request)
    }
    return outcome
  }
}

interface WebhookPost {
  readonly url: string
  /** The `webhook-id`. */
  readonly id: string
  readonly body: string
  readonly key: SecretKey
  readonly signal: AbortSignal
}

async function attempt(
  { fetch, clock }: Pick<ProcessContext, 'fetch' | 'clock'>,
  { url, id, body, key, signal }: WebhookPost,
): Promise<ForwardOutcome> {
  const timestamp = Math.floor(clock.now() / 1_000)
  const tooLate = new AbortController()
  const cancel = clock.after(answerMsMax, () => tooLate.abort(new Error('no answer in 15 s')))
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': `nuncio/${programVersion}`,
        'webhook-id': id,
        'webhook-timestamp': String(timestamp),
        'webhook-signature': sign(key, { id, timestamp, body }),
      },
      body,
      redirect: 'manual',
      signal: AbortSignal.any([tooLate.signal, signal]),
    })
    await response.body?.cancel()
    return { kind: 'ANSWERED', status: response.status }
  } catch (error) {
    return { kind: 'UNREACHABLE', reason: networkReason(error) }
  } finally {
    cancel()
  }
}
