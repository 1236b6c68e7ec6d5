import fastify, { type FastifyReply, type FastifyRequest } from 'fastify'
import { Readable } from 'node:stream'
import { Problem } from '../core/problem.ts'
import type { Log } from '../core/log.ts'
import type { Handle } from './handle.ts'
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

/** Puts a socket before what answers requests. Throws what `listen` throws, such as EADDRINUSE. */
export async function serve(
  answer: Handle,
  address: { readonly host: string; readonly port: number },
  newRequestId: () => string,
  log: Log,
): Promise<Server> {
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
  for (const method of [
    'QUERY',
    'PROPFIND',
    'MKCOL',
    'COPY',
    'MOVE',
    'LOCK',
    'UNLOCK',
    'TRACE',
    'SEARCH',
    'PROPPATCH',
    'REPORT',
    'MKCALENDAR',
  ]) {
    server.addHttpMethod(method, { hasBody: method !== 'TRACE' })
  }
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) =>
    done(null, body),
  )
  server.all('/*', async (request, reply) =>
    write(reply, await answer(plain(request, reply)), request),
  )
  server.setErrorHandler((error, request, reply) => {
    const fault = problemAnswer(shellError(error), plain(request, reply), newRequestId(), log)
    return write(reply, fault, request)
  })
  const url = await server.listen({ host: address.host, port: address.port })
  return { url, close: () => server.close() }
}

const nothing = new Uint8Array()

function plain(request: FastifyRequest, reply: FastifyReply): PlainRequest {
  const { method, url, headers, body } = request
  return {
    method,
    target: url,
    headers,
    body: body instanceof Uint8Array ? body : nothing,
    get gone() {
      const controller = new AbortController()
      reply.raw.once('close', () => controller.abort())
      return controller.signal
    },
  }
}

function write(reply: FastifyReply, answer: PlainAnswer, request: FastifyRequest): FastifyReply {
  const { status, headers, body } = answer
  reply.code(status).headers(headers)
  if (typeof body === 'string') return reply.send(body)
  if (body !== null) return reply.send(Readable.from(body))
  if (status === 204 || status === 304) reply.removeHeader('content-type')
  return reply.send(request.method === 'HEAD' ? '' : undefined)
}

/** What the shell refuses before a request reaches us, in our words. */
function shellError(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  switch ('code' in error ? error.code : undefined) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new Problem('content-too-large', `The body has more than ${bodyBytesMax} octets.`)
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
    case 'FST_ERR_BAD_URL':
      return new Problem('invalid-request', 'The request is malformed.')
    default:
      return error
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
