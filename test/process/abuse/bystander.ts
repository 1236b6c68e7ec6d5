import { Agent, request } from 'node:http'
import type { Target } from './attack.ts'
import { pause } from './requests.ts'

/** The requests of client B during a time. */
export interface Seen {
  /** Times of its GETs, in milliseconds, ascending. */
  readonly times: readonly number[]
  /** What became of each request that failed. */
  readonly failures: readonly string[]
}

/** The interface of a bystander, client B. */
export interface Bystander {
  /** Sends requests until `isOver` holds after so many of them. */
  watch(isOver: (requests: number) => boolean): Promise<Seen>
}

/** Pause between requests, in milliseconds: B itself is no load. */
const everyMs = 4
/** One of so many requests is a POST. */
const postEvery = 50
/** A connection serves so many requests: B opens new ones, too. */
const connectionRequests = 40
const timeoutMs = 10_000

/** Creates client B: it gets one contact again and again, and posts a message from time to time. */
export function bystander(
  target: Pick<Target, 'port'>,
  headers: Target['own'],
  contact: string,
): Bystander {
  const message = JSON.stringify({ to: '+4915112345679', body: 'Hello' })
  return {
    watch: async (isOver) => {
      const times: number[] = []
      const failures: string[] = []
      let agent = new Agent({ keepAlive: true, maxSockets: 1 })
      for (let count = 1; !isOver(count - 1); count += 1) {
        const isPost = count % postEvery === 0
        const began = performance.now()
        const asked = isPost
          ? { method: 'POST', path: '/v1/messages', body: message }
          : { method: 'GET', path: `/v1/contacts/${contact}`, body: '' }
        const result = await exchange({ ...asked, headers, agent, port: target.port })
        if (!isPost) times.push(performance.now() - began)
        if (result !== (isPost ? '201' : '200')) failures.push(`${asked.method}: ${result}`)
        if (count % connectionRequests === 0) {
          agent.destroy()
          agent = new Agent({ keepAlive: true, maxSockets: 1 })
        }
        await pause(everyMs)
      }
      agent.destroy()
      return { times: times.toSorted((a, b) => a - b), failures }
    },
  }
}

interface Exchange {
  readonly method: string
  readonly path: string
  readonly body: string
  readonly headers: Target['own']
  readonly agent: Agent
  readonly port: number
}

/** Sends a request; returns the status, or the fault. */
function exchange({ body, headers, ...options }: Exchange): Promise<string> {
  return new Promise((resolve) => {
    const sent = request({ host: '127.0.0.1', ...options, headers, timeout: timeoutMs })
    sent.on('timeout', () => sent.destroy(new Error(`no response within ${timeoutMs} ms`)))
    sent.on('error', (error) => resolve(error.message))
    sent.on('response', (response) => {
      response.resume()
      response.on('end', () => resolve(String(response.statusCode)))
      response.on('error', (error) => resolve(error.message))
    })
    sent.end(body === '' ? undefined : body)
  })
}

/** Returns the value below which the share of the times is. */
export function quantile({ times }: Seen, share: number): number {
  return times[Math.floor(times.length * share)] ?? Infinity
}
