import fastify, { type FastifyReply, type FastifyRequest } from 'fastify'
import {
  createServer,
  METHODS,
  type IncomingMessage,
  type RequestListener,
  type Server as HttpServer,
  type ServerResponse,
} from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Problem } from '../core/problem.ts'
import type { Clock } from '../core/clock.ts'
import type { Handle } from './handle.ts'
import { unsupportedQuery } from './long-query.ts'
import { plainRequest } from './plain-request.ts'
import type { PlainAnswer } from './request.ts'
import { unreadable } from './unreadable.ts'

/** Octets that a body may have: 1 MiB. */
const bodyBytesMax = 1_048_576
/** Octets of a request line and header fields that Node reads; the rest of a long target is answered 414. */
const headerBytesMax = 65_536
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
  /** How patient it is; a test has less time. */
  readonly patience?: Patience
}

/** How long a client may keep the server waiting. */
export interface Patience {
  /** How long a request may take to arrive, in milliseconds. */
  readonly requestTimeoutMs: number
  /** How often that is looked at, in milliseconds. */
  readonly checkEveryMs: number
}

const requestTimeoutMs = 30_000
const usual: Patience = { requestTimeoutMs, checkEveryMs: 5000 }

/** How long requests in flight may take to finish when the server closes, in milliseconds. */
const closeTimeoutMs = 20_000

/** Puts a socket before what answers requests. Throws what `listen` throws, such as EADDRINUSE. */
export async function serve(
  answer: Handle,
  address: { readonly host: string; readonly port: number },
  parts: ServerParts,
): Promise<Server> {
  const { clock } = parts
  const closing = new AbortController()
  const pass: Pass = async (request, response, body, refused) => {
    // Else a client that always has a next request would keep its connection, and the server.
    if (closing.signal.aborted) response.setHeader('connection', 'close')
    const asked = plainRequest(request, response, body, closing.signal)
    const known = refused === undefined ? asked : { ...asked, refused }
    await write(response, await answer(known))
  }
  const server = shell(parts, pass)
  const url = await server.listen({ host: address.host, port: address.port })
  return {
    url,
    close: async () => {
      // Streams would go on for ever, so they are told to end.
      closing.abort()
      const cancel = clock.after(closeTimeoutMs, () => server.server.closeAllConnections())
      const stop = sweepIdle(server.server, clock)
      await server.close()
      stop()
      cancel()
    },
  }
}

/** Takes a request that was read, or refused while it was read. */
type Pass = (
  request: IncomingMessage,
  response: ServerResponse,
  body: unknown,
  refused?: unknown,
) => Promise<void>

/** Fastify without opinions: whatever it can read is passed on. What has no body needs no reading. */
function shell({ newRequestId, clock, patience = usual }: ServerParts, pass: Pass) {
  const unread = unreadable(newRequestId, clock)
  const hijack = (request: FastifyRequest, reply: FastifyReply, refused?: unknown) => {
    reply.hijack()
    return pass(request.raw, reply.raw, request.body, refused)
  }
  const server = fastify({
    bodyLimit: bodyBytesMax,
    exposeHeadRoutes: false,
    routerOptions: { maxParamLength: headerBytesMax, ignoreTrailingSlash: false },
    serverFactory: (read) =>
      socketServer(patience, (request, response) => {
        if (hasBody(request)) read(request, response)
        else void pass(request, response, undefined)
      }),
    clientErrorHandler: ({ code }, socket) => unread.refuse(code, socket),
    // A path that cannot be decoded is answered for, like any other.
    frameworkErrors: (_error, request, reply) => hijack(request, reply),
  })
  server.server.on('request', unread.seen)
  // A server may pass over what a client expects (RFC 9110 section 10.1.1).
  server.server.on('checkExpectation', (request, response) => {
    server.server.emit('request', request, response)
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
  server.all('/*', (request, reply) => hijack(request, reply))
  // Who looks at the body refuses its media type, after all that comes first.
  server.setErrorHandler((error, request, reply) =>
    isOfNoType(error) ? hijack(request, reply) : hijack(request, reply, shellError(error)),
  )
  return server
}

/** The server of Node beneath Fastify. */
function socketServer(patience: Patience, listener: RequestListener): HttpServer {
  const { requestTimeoutMs: headersTimeout, checkEveryMs: connectionsCheckingInterval } = patience
  const options = {
    maxHeaderSize: headerBytesMax,
    headersTimeout,
    requestTimeout: headersTimeout,
    connectionsCheckingInterval,
    keepAliveTimeout: keepAliveMs,
    // Node would refuse without a body; we refuse with a problem.
    requireHostHeader: false,
  }
  return createServer(options, listener)
}

/** Whether a body follows the header (RFC 9112 section 6.3). */
function hasBody({ headers }: IncomingMessage): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined
}

/** How often a server that closes looks for connections that have fallen idle, in milliseconds. */
const sweepMs = 50

/** Closes connections as they fall idle: one may still be reading what it refused. */
function sweepIdle(server: HttpServer, clock: Clock): () => void {
  let cancel = clock.after(sweepMs, function sweep() {
    server.closeIdleConnections()
    cancel = clock.after(sweepMs, sweep)
  })
  return () => cancel()
}

/** Writes an answer as it is: what is prepared needs no serialisation. */
async function write(response: ServerResponse, answer: PlainAnswer): Promise<void> {
  const { status, headers, body } = answer
  if (typeof body === 'string') {
    const length = Buffer.byteLength(body)
    response.writeHead(status, { ...headers, 'content-length': length })
    // ASCII is the same in both, and the plainer of the two is written faster.
    response.end(body, length === body.length ? 'latin1' : 'utf8')
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

/** Whether the shell has not read a body because it is of no media type, or of two. */
function isOfNoType(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE' || code === 'FST_ERR_CTP_EMPTY_TYPE'
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
