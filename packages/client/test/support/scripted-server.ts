import { EventEmitter, once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import { text } from 'node:stream/consumers'

/** Reaction of the server to a request. */
export type Reply =
  | {
      readonly status?: number
      readonly headers?: Readonly<Record<string, string>>
      /** Sent as JSON, unless it is a text. */
      readonly body?: unknown
    }
  | 'hang'
  | 'drop'
  | ((response: ServerResponse, request: IncomingMessage) => void)

/** A request as it came. */
export interface Recorded {
  readonly method: string
  readonly target: string
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: string
}

/** A server on a free port with scripted replies. */
export interface ScriptedServer {
  readonly url: string
  /** The requests that came, in their order. */
  readonly requests: readonly Recorded[]
  /** Resolves once this many requests have come. */
  arrived(count: number): Promise<void>
}

/** Starts a server that deals with each request by the next reply; it ends with the test. */
export async function scriptedServer(
  t: TestContext,
  replies: readonly Reply[],
): Promise<ScriptedServer> {
  const requests: Recorded[] = []
  const left = [...replies]
  const arrivals = new EventEmitter()
  const server = createServer(async (request, response) => {
    const { method = '', url: target = '', headers } = request
    const body = await text(request)
    requests.push({ method, target, headers: { ...headers } as Recorded['headers'], body })
    arrivals.emit('arrival')
    play(left.shift() ?? { status: 500, body: 'there is no reply left' }, request, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    arrived: async (count) => {
      while (requests.length < count) await once(arrivals, 'arrival')
    },
  }
}

/** A refusal as the service writes it. */
export function problem(
  status: number,
  name: string,
  more: { readonly headers?: Readonly<Record<string, string>>; readonly errors?: unknown } = {},
): Reply {
  const { headers = {}, errors } = more
  return {
    status,
    headers: { 'content-type': 'application/problem+json', ...headers },
    body: {
      type: `/problems/${name}`,
      title: `Title of ${name}`,
      status,
      detail: `Detail of ${name}.`,
      instance: '/v1/messages',
      ...(errors === undefined ? {} : { errors }),
      requestId: 'request_1',
    },
  }
}

function play(reply: Reply, request: IncomingMessage, response: ServerResponse): void {
  if (reply === 'hang') return
  if (reply === 'drop') {
    request.socket.destroy()
    return
  }
  // Each request has a separate connection, so that a dropped one affects no other.
  response.shouldKeepAlive = false
  if (typeof reply === 'function') return reply(response, request)
  const { status = 200, headers = {}, body } = reply
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(typeof body === 'string' || body === undefined ? body : JSON.stringify(body))
}
