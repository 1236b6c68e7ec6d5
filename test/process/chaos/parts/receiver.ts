import { createServer, type RequestListener } from 'node:http'
import type { TestContext } from 'node:test'

/** How a receiver is: there, there but failing, or not there at all. */
export type Condition = 'UP' | 'FAILING' | 'AWAY'

/** Of each message, what the receiver was told of it, in the order in which it came. */
export type Told = ReadonlyMap<string, readonly string[]>

/** A receiver in the process of the test: it outlives the service. */
export interface Receiver {
  readonly url: string
  readonly told: Told
  /** How many requests have come, whatever they were answered. */
  requests(): number
  become(condition: Condition): Promise<void>
}

/** Starts a receiver that goes with the test. */
export async function startReceiver(t: TestContext): Promise<Receiver> {
  const told = new Map<string, string[]>()
  let isFailing = false
  let requests = 0
  const listen: RequestListener = (request, response) => {
    const chunks: Buffer[] = []
    requests += 1
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      if (isFailing) return void response.writeHead(503).end()
      const text = Buffer.concat(chunks).toString()
      const records: { id: string; status: { type: string } }[] = JSON.parse(text)
      for (const { id, status } of records) told.set(id, [...(told.get(id) ?? []), status.type])
      response.writeHead(204).end()
    })
  }
  const open = async (port: number) => {
    const server = createServer(listen)
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
    return server
  }

  let server: Awaited<ReturnType<typeof open>> | null = await open(0)
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const close = async (): Promise<void> => {
    const closing = server
    server = null
    if (closing === null) return
    const closed = new Promise((resolve) => closing.close(resolve))
    closing.closeAllConnections()
    await closed
  }
  t.after(close)
  return {
    url: `http://127.0.0.1:${port}/hook`,
    told,
    requests: () => requests,
    become: async (condition) => {
      isFailing = condition === 'FAILING'
      if (condition === 'AWAY') await close()
      else server ??= await open(port)
    },
  }
}
