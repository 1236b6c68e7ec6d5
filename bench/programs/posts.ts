import { Pool } from 'undici'

/** What to post, over and over, from so many at once, each one request at a time. */
export interface Posts {
  readonly port: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly connections: number
  readonly requests: number
}

// The ceiling of deliveries: undici posting the same bytes, with nothing kept. Says how many a second.
const { port, headers, body, connections, requests }: Posts = JSON.parse(process.argv[2] ?? '{}')
const pool = new Pool(`http://127.0.0.1:${port}`, { connections, pipelining: 1 })
const bytes = Buffer.from(body)

const post = async (): Promise<void> => {
  const options = { path: '/hook', method: 'POST', headers, body: bytes } as const
  const { body: answer } = await pool.request(options)
  await answer.dump()
}
const lane = async (count: number): Promise<void> => {
  for (let index = 0; index < count; index += 1) await post()
}
const run = async (count: number): Promise<void> => {
  await Promise.all(Array.from({ length: connections }, () => lane(Math.ceil(count / connections))))
}

await run(Math.min(requests, 500))
const began = performance.now()
await run(requests)
process.send?.({ port: 0, perSecond: requests / ((performance.now() - began) / 1000) })
process.on('disconnect', () => void pool.close())
