import { ask, pause, type Running } from '../processes.ts'
import { headers, posted, type Service } from '../subjects/nuncio.ts'

/** What a sink has had. */
export interface Counted {
  readonly requests: number
  readonly records: number
  /** Of the address that has had the fewest. */
  readonly least: number
  readonly ports: readonly number[]
}

/** Asks the service and gives its answer, which must be a success. */
export async function call(
  { base }: Service,
  method: string,
  path: string,
  body: object | null = null,
): Promise<unknown> {
  const answer = await fetch(base + path, {
    method,
    headers,
    ...(body === null ? {} : { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${text}`)
  return text === '' ? null : JSON.parse(text)
}

/** Sends messages, 64 at a time, and waits until a webhook that is off has them all before it. */
export async function makeBacklog(
  service: Service,
  messages: number,
  webhook: string,
): Promise<void> {
  await Promise.all(
    Array.from({ length: 64 }, async (_, lane) => {
      for (let index = lane; index < messages; index += 64) {
        await send(service, { ...posted, body: `number ${index}` })
      }
    }),
  )
  for (;;) {
    const { lag } = (await call(service, 'GET', `/webhooks/${webhook}`)) as { lag: number }
    if (lag >= messages) return
    await pause(50)
  }
}

/** A service that has too much to do says so and asks to be tried again. */
async function send(service: Service, message: object): Promise<void> {
  const body = JSON.stringify(message)
  for (let tries = 0; ; tries += 1) {
    const answer = await fetch(`${service.base}/messages`, { method: 'POST', headers, body })
    const text = await answer.text()
    if (answer.ok) return
    if (answer.status !== 503 || tries === 20) throw new Error(`POST answered ${text}`)
    await pause(500)
  }
}

/** Waits until a sink has had so many records. */
export async function untilHad(sink: Running, records: number): Promise<void> {
  while ((await ask<Counted>(sink.process)).records < records) await pause(5)
}
