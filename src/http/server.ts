import fastify, { type FastifyRequest } from 'fastify'
import { METHODS, type ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Problem } from '../core/problem.ts'
import type { Clock } from '../core/clock.ts'
import type { Log } from '../core/log.ts'
import type { Handle } from './handle.ts'
import { unsupportedQuery } from './long-query.ts'
import { problemAnswer } from './problem-answer.ts'
import type { PlainAnswer, PlainRequest } from './request.ts'

/** Octets that a body may have: 1 MiB. */
const bodyBytesMax = 1_048_576
/** Octets of a request line and header fields that Node reads; the rest of a long target is answered 414. */
const headerBytesMax = 65_536
/** How long a request may take to arrive, in milliseconds. */
const requestTimeoutMs = 30_000
/** How long an idle connection is kept, in milliseconds; longer than common proxies keep theirs. */
const keepAliveMs = 72_000

/** A server that listens. */
export interface Server {
  /** Such as `http://127.0.0.1:8080`. */
  readonly url: string
  /** Stops accepting, lets what is in flight finish. */
  close(): Promise<void>
}

/** What the server needs besides what answers. */
export interface ServerParts {
  readonly newRequestId: () => string
  readonly clock: Clock
  readonly log: Log
}

/** How long requests in flight may take to finish when the server closes, in milliseconds. */
const closeTimeoutMs = 20_000

/** Puts a socket before what answers requests. Throws what `listen` throws, such as EADDRINUSE. */
export async function serve(
  answer: Handle,
  address: { readonly host: string; readonly port: number },
  { newRequestId, clock, log }: ServerParts,
): Promise<Server> {
  const closing = new AbortController()
  const server = fastify({
    bodyLimit: bodyBytesMax,
    requestTimeout: requestTimeoutMs,
    keepAliveTimeout: keepAliveMs,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    exposeHeadRoutes: false,
    routerOptions: { maxParamLength: headerBytesMax, ignoreTrailingSlash: false },
    http: { maxHeaderSize: headerBytesMax },
    clientErrorHandler: (error, socket) => socket.end(clientError(error.code)),
  })
  // Every method that Node reads reaches us: what we do not know is answered 501, not 404.
  for (const method of METHODS) {
    if (!server.supportedMethods.includes(method) && method !== 'CONNECT') {
      server.addHttpMethod(method, { hasBody: true })
    }
  }
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) =>
    done(null, body),
  )
  server.all('/*', async (request, reply) => {
    reply.hijack()
    await write(reply.raw, await answer(plain(request, reply.raw, closing.signal)))
  })
  server.setErrorHandler((error, request, reply) => {
    reply.hijack()
    const refused = plain(request, reply.raw, closing.signal)
    return write(reply.raw, problemAnswer(shellError(error), refused, newRequestId(), log))
  })
  const url = await server.listen({ host: address.host, port: address.port })
  return {
    url,
    close: async () => {
      // Streams would go on for ever, so they are told to end.
      closing.abort()
      const cancel = clock.after(closeTimeoutMs, () => server.server.closeAllConnections())
      await server.close()
      cancel()
    },
  }
}

const nothing = new Uint8Array()

function plain(
  request: FastifyRequest,
  response: ServerResponse,
  closing: AbortSignal,
): PlainRequest {
  const { method, url, headers, body } = request
  return {
    method,
    target: url,
    headers,
    body: body instanceof Uint8Array ? body : nothing,
    gone: () => {
      const controller = new AbortController()
      response.once('close', () => controller.abort())
      return AbortSignal.any([controller.signal, closing])
    },
  }
}

/** Writes an answer as it is: what is prepared needs no serialisation. */
async function write(response: ServerResponse, answer: PlainAnswer): Promise<void> {
  const { status, headers, body } = answer
  if (typeof body === 'string') {
    response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) })
    response.end(body)
  } else if (body === null) {
    response.writeHead(status, headers)
    response.end()
  } else {
    response.writeHead(status, headers)
    const { socket } = response
    // A client that goes away ends its stream; that is no fault.
    await pipeline(Readable.from(body), response).catch(() => {})
    // Nothing follows a stream, and a server that closes would wait for the connection.
    socket?.end()
  }
}

/** What the shell refuses before a request reaches us, in our words. */
function shellError(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  switch ('code' in error ? error.code : undefined) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new Problem('content-too-large', `The body has more than ${bodyBytesMax} octets.`)
    case 'FST_ERR_ROUTE_MISSING_CONTENT_TYPE':
      return unsupportedQuery('of no type')
    default: {
      const status = 'statusCode' in error ? Number(error.statusCode) : 500
      const fault = status >= 400 && status < 500
      return fault ? new Problem('invalid-request', 'The request is malformed.') : error
    }
  }
}

/** What Node could not read as HTTP at all. */
function clientError(code: string | undefined): string {
  const [status, title] =
    code === 'HPE_HEADER_OVERFLOW'
      ? ['431 Request Header Fields Too Large', 'Request header fields too large']
      : code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? ['408 Request Timeout', 'The request did not arrive in time']
        : ['400 Bad Request', 'The request is not HTTP']
  const body = JSON.stringify({ type: 'about:blank', title, status: Number(status?.slice(0, 3)) })
  return (
    `HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-type: application/problem+json\r\n` +
    `content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
  )
}
