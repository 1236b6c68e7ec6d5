import type { Duplex } from 'node:stream'
import type { Clock } from '../../core/ports/clock.ts'
import { problems, type ProblemName } from '../../core/problem.ts'
import type { Connections } from './connections.ts'

// Not imported, which would load all that it exports (docs/decisions/0016).
const { STATUS_CODES } = process.getBuiltinModule('node:http')

/** Refuser of octets that Node cannot parse as HTTP. */
export interface Unreadable {
  /**
   * Responds, if the client can relate the response to its request, and ends the connection.
   * `packet` contains the octets.
   */
  refuse(code: string | undefined, socket: Duplex, packet?: Uint8Array): void
}

/**
 * Time before a connection closes after its last response, in milliseconds. A client that still
 * sends could lose the response to a reset.
 */
const lingerMs = 1000

/** Distinguishes faults after a request without its response from faults alone on a connection. */
export function unreadable(
  connections: Pick<Connections, 'latest' | 'fault'>,
  newRequestId: () => string,
  clock: Clock,
): Unreadable {
  const refused = new WeakSet<Duplex>()
  return {
    refuse: (code, socket, packet) => {
      if (refused.has(socket)) return
      refused.add(socket)
      if (code === 'HPE_HEADER_OVERFLOW') connections.fault(socket)
      const before = connections.latest(socket)
      const due = before !== undefined && !before.writableFinished
      if (!socket.writable || (due && before.headersSent)) {
        socket.destroy()
      } else if (due && before.req.complete) {
        // The client would take a response written now for that of the earlier request.
        before.shouldKeepAlive = false
      } else {
        socket.end(responseText(code, newRequestId(), packet))
        const cancel = clock.after(lingerMs, () => socket.destroy())
        socket.once('close', cancel)
      }
    },
  }
}

/** By the code of Node's error; everything else is a 400. */
const refusals: Readonly<Record<string, readonly [problem: ProblemName, detail: string]>> = {
  HPE_HEADER_OVERFLOW: ['header-too-large', 'The request line and the header fields are too long.'],
  CONNECT: ['not-implemented', 'CONNECT is not supported: this is not a proxy.'],
  ERR_HTTP_REQUEST_TIMEOUT: ['request-timeout', 'The request did not arrive in time.'],
}

/** Node rejects unknown methods; a well-formed one is still a method. */
const otherMethod = ['not-implemented', 'Unknown method.'] as const
const requestLine = /^[\w!#$%&'*+.^`|~-]+ ([!-~]+) HTTP\/1\.[01]\r?\n/

/** A line that is longer is not looked through. */
const requestLineBytesMax = 10_000

const notHttp = ['invalid-request', 'This is not HTTP/1.1 (RFC 9112).'] as const

function responseText(code: string | undefined, requestId: string, packet?: Uint8Array): string {
  const begin = Buffer.from(packet ?? []).toString('latin1', 0, requestLineBytesMax)
  const [line, target] = requestLine.exec(begin) ?? []
  const isMethod = code === 'HPE_INVALID_METHOD' && line !== undefined
  const [problem, detail] = isMethod ? otherMethod : (refusals[code ?? ''] ?? notHttp)
  const [status, title] = problems[problem]
  // The target is known only if the octets contain the request line.
  const instance = target === undefined ? {} : { instance: target.split('?', 1)[0] }
  const type = `/problems/${problem}`
  const body = JSON.stringify({ type, title, status, detail, ...instance, requestId })
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'connection: close',
    'content-type: application/problem+json',
    'cache-control: private, no-cache',
    'x-content-type-options: nosniff',
    `x-request-id: ${requestId}`,
    `content-length: ${Buffer.byteLength(body)}`,
    '',
    // A response to HEAD has no body (RFC 9110 section 9.3.2).
    begin.startsWith('HEAD ') ? '' : body,
  ].join('\r\n')
}
