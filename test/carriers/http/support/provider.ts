import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A request as a provider sees it. */
export interface SeenRequest {
  readonly method: string
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

/** What a provider answers; `hangUp` closes the connection instead, `never` leaves it open. */
export type ProviderAnswer =
  | {
      readonly status: number
      readonly body?: unknown
      readonly headers?: Readonly<Record<string, string>>
    }
  | 'hangUp'
  | 'never'

/** A provider of the test's, on a port of its own. */
export interface Provider extends AsyncDisposable {
  readonly url: string
  /** Such as `127.0.0.1:4711`. */
  readonly host: string
  /** What it was asked, without questions whether it is there. */
  readonly seen: readonly SeenRequest[]
  /** How often it was asked whether it is there. */
  readonly probes: () => number
}

/** Starts a provider that answers as the function says. */
export async function startProvider(
  answer: (request: SeenRequest) => ProviderAnswer | Promise<ProviderAnswer>,
): Promise<Provider> {
  const seen: SeenRequest[] = []
  let probes = 0
  const server = createServer(async (incoming, outgoing) => {
    const { method = '', url: path = '', headers } = incoming
    if (method === 'HEAD') {
      probes += 1
      return void outgoing.writeHead(404).end()
    }
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk)
    const request = { method, path, headers, body: Buffer.concat(chunks).toString() }
    seen.push(request)
    const given = await answer(request)
    if (given === 'never') return
    if (given === 'hangUp') return void incoming.socket.destroy()
    const { status, body = {}, headers: more = {} } = given
    outgoing.writeHead(status, { 'content-type': 'application/json', ...more })
    outgoing.end(typeof body === 'string' ? body : JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const host = `127.0.0.1:${port}`
  return {
    url: `http://${host}`,
    host,
    seen,
    probes: () => probes,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
