import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'

/** A request as it came. */
export interface Received {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** A server on this machine that notes what it is asked. */
export interface FakeServer {
  readonly url: string
  readonly received: readonly Received[]
}

/** Starts a server for one test; `answer` is given each request with its number, from 0. */
export async function startServer(
  t: TestContext,
  answer: (response: ServerResponse, request: Received, index: number) => void,
): Promise<FakeServer> {
  const received: Received[] = []
  const server = createServer((request, response) => {
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => {
      const { method = '', url: path = '', headers } = request
      const whole = { method, path, headers, body: Buffer.concat(pieces).toString() }
      received.push(whole)
      answer(response, whole, received.length - 1)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${portOf(server.address())}`, received }
}

/** Answers with JSON. */
export function answerJson(
  response: ServerResponse,
  status: number,
  value: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(JSON.stringify(value))
}

/** Answers with a problem document. */
export function answerProblem(
  response: ServerResponse,
  status: number,
  problem: Record<string, unknown>,
  headers: Record<string, string> = {},
): void {
  const type = { 'content-type': 'application/problem+json' }
  const body = { type: '/problems/conflict', status, ...problem }
  response.writeHead(status, { ...type, ...headers }).end(JSON.stringify(body))
}

function portOf(address: AddressInfo | string | null): number {
  return typeof address === 'object' && address !== null ? address.port : 0
}
