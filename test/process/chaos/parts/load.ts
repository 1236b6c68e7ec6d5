import type { Service } from '../../../support/service.ts'

/** What clients saw that send as fast as they are answered. */
export interface Load {
  /** Messages that were answered 201. */
  readonly accepted: Set<string>
  /** How often which status was answered. */
  readonly statuses: Map<number, number>
  /** Why clients gave up: the service was gone. */
  gone: number
}

/** So many clients send at once. */
const atOnce = 16

/** The administrator's key of all these tests. */
export const adminKey = 'nuncio_for_the_tests_of_real_faults_in_a_row'

/** The headers of each request. */
export const headers = {
  authorization: `Bearer ${adminKey}`,
  'content-type': 'application/json',
}

/** The statuses that the receiver is told of each message, in their order. */
export const order = ['ACCEPTED', 'SENT', 'DELIVERED']

/** Nobody has sent yet. */
export function noLoad(): Load {
  return { accepted: new Set(), statuses: new Map(), gone: 0 }
}

/** Makes the webhook through which the receiver is told all; nothing changes where it is there already. */
export async function hookUp({ url }: Service, receiver: { readonly url: string }): Promise<void> {
  const body = JSON.stringify({ url: receiver.url, statuses: order })
  const answer = await fetch(`${url}/v1/webhooks/w`, { method: 'PUT', headers, body })
  if (answer.status !== 200) throw new Error(`${answer.status} ${await answer.text()}`)
}

/** Sends until the service is gone, or the signal is given. */
export async function send({ url }: Service, load: Load, signal?: AbortSignal): Promise<void> {
  const body = JSON.stringify({ to: '+4915112345678', body: 'hello' })
  const one = async (): Promise<void> => {
    while (signal?.aborted !== true) {
      try {
        const answer = await fetch(`${url}/v1/messages`, { method: 'POST', headers, body })
        const text = await answer.text()
        load.statuses.set(answer.status, (load.statuses.get(answer.status) ?? 0) + 1)
        if (answer.status === 201) load.accepted.add((JSON.parse(text) as { id: string }).id)
        else await pause(10)
      } catch {
        load.gone += 1
        return
      }
    }
  }
  await Promise.all(Array.from({ length: atOnce }, one))
}

/** Real time passes. */
export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

/** Waits for a condition; false where it does not come true in time. */
export async function until(
  condition: () => boolean | Promise<boolean>,
  deadlineMs: number,
): Promise<boolean> {
  const end = performance.now() + deadlineMs
  while (!(await condition())) {
    if (performance.now() > end) return false
    await pause(20)
  }
  return true
}
