import { connect } from 'node:net'
import { type TestContext } from 'node:test'
import { systemClock } from '../../../src/core/ports/clock.ts'
import { bytesInFlight, type InFlightLimits } from '../../../src/http/server/bytes-in-flight.ts'
import { handle, type Respond } from '../../../src/http/server/handle.ts'
import { received, type IncomingRequest } from '../../../src/http/server/request.ts'
import { serve, type ServerTimeouts, type Server } from '../../../src/http/server/server.ts'

/** Time limits that no test has to wait for. */
export const hasty: ServerTimeouts = { requestTimeoutMs: 30_000, checkEveryMs: 5000, idleMs: 0 }

const maxConnections = 100

/** Starts a server that answers with `respond`; it ends with the test. */
export async function startServer(
  t: TestContext,
  respond: Respond,
  patience = hasty,
  limits?: InFlightLimits,
): Promise<Server> {
  const newRequestId = (): string => 'request_1'
  const inFlight = bytesInFlight(limits)
  const parts = { newRequestId, clock: systemClock, inFlight, timeouts: patience }
  const answer = handle(respond, newRequestId, () => {})
  const server = await serve(answer, { host: '127.0.0.1', port: 0, maxConnections }, parts)
  t.after(() => server.close())
  return server
}

/** Returns the body of a request as text. */
export const bodyText = async (request: IncomingRequest): Promise<string> =>
  Buffer.from((await received(request, null)).body).toString()

/** Answers with what was asked. */
export const echo: Respond = async (request) => ({
  status: 200,
  headers: {
    'content-type': 'application/json',
    'x-seen': `${request.method} ${request.target.slice(0, 100)}`,
    'x-length': String(request.target.length),
  },
  body: (await bodyText(request)) || '{}',
})

/** Sends bytes as they are and gives back all that comes until the connection ends. */
export function raw(url: string, text: string): Promise<string> {
  const { port } = new URL(url)
  return new Promise((resolve, reject) => {
    let answer = ''
    const socket = connect(Number(port), '127.0.0.1', () => socket.write(text))
    socket.on('data', (chunk) => (answer += chunk.toString()))
    socket.on('end', () => resolve(answer))
    socket.on('error', reject)
  })
}
