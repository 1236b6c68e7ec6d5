import { readFile } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import type { Service } from '../../../test/support/service.ts'

/** Requests at the same time: more would wait in the service. */
const connections = 20
const perSecond = 1000

/** What a load did to the service. */
export interface LoadOutcome {
  readonly perSecond: number
  /** Milliseconds of CPU for each message. */
  readonly cpuMsEach: number
}

/** Sends 1,000 messages a second for some seconds, or as many as the machine manages. */
export async function sendMessages(service: Service, seconds: number): Promise<LoadOutcome> {
  using agent = disposableAgent()
  const cpuBefore = await cpuMs(service)
  const began = performance.now()
  let sent = 0
  const work = async (): Promise<void> => {
    for (;;) {
      const elapsedMs = performance.now() - began
      if (elapsedMs > seconds * 1000) return
      const aheadMs = (sent * 1000) / perSecond - elapsedMs
      if (aheadMs > 0) await new Promise((resolve) => setTimeout(resolve, aheadMs))
      sent += 1
      await send(service, agent, sent)
    }
  }
  await Promise.all(Array.from({ length: connections }, work))
  return {
    perSecond: Math.round((sent * 1000) / (performance.now() - began)),
    cpuMsEach: ((await cpuMs(service)) - cpuBefore) / sent,
  }
}

function disposableAgent(): Agent & Disposable {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  return Object.assign(agent, { [Symbol.dispose]: () => agent.destroy() })
}

function send({ url, key }: Service, agent: Agent, index: number): Promise<void> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  return new Promise((resolve, reject) => {
    const sending = request(
      `${url}/v1/messages`,
      { agent, method: 'POST', headers },
      (response) => {
        response.resume()
        response.on('end', () =>
          response.statusCode === 201
            ? resolve()
            : reject(new Error(`the service responded ${response.statusCode}`)),
        )
      },
    )
    sending.on('error', reject)
    sending.end(JSON.stringify({ to: `+4477009${10_000 + (index % 10_000)}`, body: 'Hi' }))
  })
}

/** Linux counts the CPU of a process in hundredths of a second. */
async function cpuMs({ process }: Service): Promise<number> {
  const text = await readFile(`/proc/${process.pid}/stat`, 'utf8')
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}
