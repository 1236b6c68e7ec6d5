import type { IncomingMessage, Server as HttpServer, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Clock } from '../../core/ports/clock.ts'
import { problems } from '../../core/problem.ts'
import { andThen } from '../../core/maybe-promise.ts'
import type { Handle } from './handle.ts'
import { inOrder } from './in-order.ts'
import { plainRequest } from './plain-request.ts'
import { hasBody, type RequestBody, requestBody } from './request-body.ts'
import type { PlainResponse } from './request.ts'
import { unreadable } from './unreadable.ts'

// Not imported, which would load all that it exports (docs/decisions/0016).
const { createServer } = process.getBuiltinModule('node:http')
const { Server: SocketServer } = process.getBuiltinModule('node:net')

/** Octets that a body may have: 1 MiB. */
const bodyBytesMax = 1_048_576
/** Octets of request line and header fields that Node reads; a longer target gets 414. */
const headerBytesMax = 65_536
/** Idle time before a connection closes, in milliseconds; longer than that of common proxies. */
const keepAliveMs = 72_000

/** A server that listens. */
export interface Server {
  /** Such as `http://127.0.0.1:8080`. */
  readonly url: string
  /**
   * Stops accepting connections. Responds to requests on open connections, and ends each connection
   * with its response. Closes idle connections after a second.
   */
  close(): Promise<void>
}

/** Dependencies of the server. */
export interface ServerDependencies {
  readonly newRequestId: () => string
  readonly clock: Clock
  /** Timeouts; tests use shorter ones. */
  readonly timeouts?: ServerTimeouts
}

/** Limits on the time that a client may take. */
export interface ServerTimeouts {
  /** Time for a request to arrive, in milliseconds. */
  readonly requestTimeoutMs: number
  /** Interval between checks of that time, in milliseconds. */
  readonly checkEveryMs: number
  /** Time for which a closing server waits for a request on an idle connection, in milliseconds. */
  readonly idleMs?: number
}

const requestTimeoutMs = 30_000
const defaultTimeouts: ServerTimeouts = { requestTimeoutMs, checkEveryMs: 5000 }

/**
 * Clients that send a next request within this time learn from its response that the connection
 * ends.
 */
const idleMs = 1000

/** Time for requests in flight to finish if the server closes, in milliseconds. */
const closeTimeoutMs = 20_000

/**
 * Listens on an address and passes requests to a handler. Throws the error of `listen`, such as
 * EADDRINUSE.
 */
export async function serve(
  handle: Handle,
  address: { readonly host: string; readonly port: number },
  { newRequestId, clock, timeouts = defaultTimeouts }: ServerDependencies,
): Promise<Server> {
  const closing = new AbortController()
  const writes = responseWriter(closing.signal, clock)
  const server = socketServer(timeouts)
  const refuser = unreadable(newRequestId, clock)
  const inTurn = inOrder()
  const take: Take = (request, response, demand) => {
    refuser.seen(request, response)
    const body = hasBody(request) ? requestBody(request, bodyBytesMax, demand) : null
    const isRead = body !== null && !withoutBody.has(request.method ?? '')
    if (!isRead) body?.discard()
    inTurn(request, response, () => {
      const plain = plainRequest(request, response, isRead ? body : null, closing.signal)
      andThen(handle(plain), (content) => writes({ response, body, content }))
    })
  }
  server.on('request', (request, response) => take(request, response, () => {}))
  // A server may ignore other expectations (RFC 9110 section 10.1.1).
  server.on('checkExpectation', (request, response) => take(request, response, () => {}))
  server.on('checkContinue', (request, response) => {
    take(request, response, () => response.writeContinue())
  })
  server.on('clientError', ({ code, rawPacket }: ReadError, socket) =>
    refuser.refuse(code, socket, rawPacket),
  )
  const url = await listen(server, address)
  return {
    url,
    close: async () => {
      // Streams have no end, so signal it.
      closing.abort()
      const cancel = clock.after(closeTimeoutMs, () => server.closeAllConnections())
      const stop = closeIdleConnections(server, clock, timeouts.idleMs ?? idleMs)
      // The HTTP server's own `close` ends idle connections immediately: a request may be in
      // transit on one.
      await new Promise((resolve) => SocketServer.prototype.close.call(server, resolve))
      stop()
      cancel()
      server.close()
    },
  }
}

/** Node's error for octets that it cannot parse. */
type ReadError = NodeJS.ErrnoException & { readonly rawPacket?: Uint8Array }

/** Takes a request whose head was read; `demand` asks the client for the body. */
type Take = (request: IncomingMessage, response: ServerResponse, demand: () => void) => void

/** Methods whose body has no meaning (RFC 9110 section 9.3): it is discarded. */
const withoutBody = new Set(['GET', 'HEAD', 'TRACE'])

function socketServer({ requestTimeoutMs, checkEveryMs }: ServerTimeouts): HttpServer {
  return createServer({
    maxHeaderSize: headerBytesMax,
    headersTimeout: requestTimeoutMs,
    requestTimeout: requestTimeoutMs,
    connectionsCheckingInterval: checkEveryMs,
    keepAliveTimeout: keepAliveMs,
    // What has no body needs no stream that ends.
    optimizeEmptyRequests: true,
    // Node would refuse without a body; we refuse with a problem.
    requireHostHeader: false,
  })
}

/** Listens and returns the URL. */
async function listen(
  server: HttpServer,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen({ host, port }, () => {
      server.off('error', reject)
      resolve()
    })
  })
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('the server has no address')
  const { family } = address
  return `http://${family === 'IPv6' ? `[${address.address}]` : address.address}:${address.port}`
}

/** Interval at which a closing server checks for idle connections, in milliseconds. */
const idleCheckMs = 50

/** Closes idle connections after a while, and then as they fall idle: one may still be reading what it refused. */
function closeIdleConnections(server: HttpServer, clock: Clock, afterMs: number): () => void {
  const close = (): void => server.closeIdleConnections()
  let cancel = clock.after(afterMs, function repeat() {
    // Only when all was read that has come by now.
    setImmediate(close)
    cancel = clock.after(idleCheckMs, repeat)
  })
  return () => cancel()
}

/** Names and values in turn: in this form Node takes them as they are. */
function fieldsOf(headers: PlainResponse['headers']): string[] {
  const fields: string[] = []
  for (const name in headers) fields.push(name, headers[name] ?? '')
  return fields
}

/** A response that is due. */
interface DueResponse {
  readonly response: ServerResponse
  readonly body: RequestBody | null
  readonly content: PlainResponse
}

/**
 * Writes all responses of one turn of the event loop at its end, one after the other. Each write
 * wakes the client's process, which costs as much as all other work for a small response. A process
 * that is already awake costs nothing.
 */
function responseWriter(closing: AbortSignal, clock: Clock): (due: DueResponse) => void {
  let due: DueResponse[] = []
  const writeOne = ({ response, body, content }: DueResponse): void => {
    const isArriving = body !== null && !response.req.complete
    // Else a client that always has a next request would keep its connection, and the server.
    if (closing.aborted || isArriving || content.status === tooLargeStatus) {
      response.setHeader('connection', 'close')
    }
    body?.discard()
    write(response, content, isArriving ? endLater(clock) : endNow)
  }
  const writeAll = (): void => {
    const all = due
    due = []
    for (const each of all) writeOne(each)
  }
  return (next) => {
    if (due.length === 0) setImmediate(writeAll)
    due.push(next)
  }
}

const [tooLargeStatus] = problems['content-too-large']

/** Ends a response with its text; null for none. */
type End = (response: ServerResponse, text: string | null, encoding: 'latin1' | 'utf8') => void

const endNow: End = (response, text, encoding) => {
  if (text === null) response.end()
  else response.end(text, encoding)
}

/** Time for which the rest of a body is discarded after the response, in milliseconds. */
const lingerMs = 1000

/**
 * Sends a response, and ends it after the rest of its request has come. A connection that is closed
 * before is reset, and its client may never see the response.
 */
function endLater(clock: Clock): End {
  return (response, text, encoding) => {
    if (text === null) response.flushHeaders()
    else response.write(text, encoding)
    const { req } = response
    const end = (): void => {
      cancel()
      response.end()
    }
    const cancel = clock.after(lingerMs, end)
    req.once('end', end)
    req.once('close', end)
  }
}

/** Writes a response without further serialisation. */
function write(response: ServerResponse, content: PlainResponse, end: End): void {
  const { status, headers, body } = content
  if (typeof body === 'string') {
    const length = Buffer.byteLength(body)
    const fields = fieldsOf(headers)
    fields.push('content-length', String(length))
    response.writeHead(status, fields)
    // ASCII is the same in both, and the plainer of the two is written faster.
    end(response, body, length === body.length ? 'latin1' : 'utf8')
  } else if (body === null) {
    response.writeHead(status, headers)
    end(response, null, 'latin1')
  } else {
    response.writeHead(status, headers)
    void stream(response, body)
  }
}

async function stream(response: ServerResponse, body: AsyncIterable<string>): Promise<void> {
  const { socket } = response
  // A client that goes away ends its stream; that is no fault.
  await pipeline(Readable.from(body), response).catch(() => {})
  // Nothing follows a stream, and a server that closes would wait for the connection.
  socket?.end()
}
