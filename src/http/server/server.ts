import type { IncomingMessage, Server as HttpServer, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { andThen } from '../../core/maybe-promise.ts'
import type { Clock } from '../../core/ports/clock.ts'
import type { BytesInFlight } from './bytes-in-flight.ts'
import { type Connections, connections } from './connections.ts'
import type { Handle } from './handle.ts'
import { hasTooManyFields, plainRequest } from './request.ts'
import { requestBody } from './request-body.ts'
import { inOrder, type RequestScheduler, requestScheduler, spaced } from './request-scheduler.ts'
import { type Unreadable, unreadable } from './unreadable.ts'
import { responseWriter } from './write-response.ts'

// Not imported, which would load all that it exports (docs/decisions/0016).
const { createServer } = process.getBuiltinModule('node:http')
const { Server: SocketServer } = process.getBuiltinModule('node:net')

/** Octets of request line and header fields that Node reads; a longer target gets 414. */
const headerBytesMax = 32_768
/** Octets that a body may have: 1 MiB. */
const bodyBytesMax = 1_048_576
/** Idle time before a connection closes, in milliseconds; longer than that of common proxies. */
const keepAliveMs = 72_000

/** A server that listens. */
export interface Server {
  /** Such as `http://127.0.0.1:8080`. */
  readonly url: string
  /** Returns the number of open connections. */
  connections(): number
  /**
   * Stops accepting connections. Responds to requests on open connections, and ends each connection
   * with its response. Closes idle connections after a second.
   */
  close(): Promise<void>
}

/** Address of a server, and its maximum number of connections. */
export interface ServerAddress {
  readonly host: string
  readonly port: number
  readonly maxConnections: number
}

/** Dependencies of the server. */
export interface ServerDependencies {
  readonly newRequestId: () => string
  readonly clock: Clock
  readonly inFlight: BytesInFlight
  /** Returns true for the address of a proxy: its connections bring requests of many clients. None by default. */
  readonly isProxy?: (address: string) => boolean
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
const closeTimeoutMs = 15_000

/**
 * Listens on an address and passes requests to a handler. Throws the error of `listen`, such as
 * EADDRINUSE.
 */
export async function serve(
  handle: Handle,
  address: ServerAddress,
  dependencies: ServerDependencies,
): Promise<Server> {
  const { newRequestId, clock, isProxy = () => false, timeouts = defaultTimeouts } = dependencies
  const closing = new AbortController()
  const server = socketServer(timeouts)
  const { maxConnections: connectionsMax } = address
  const { checkEveryMs } = timeouts
  const watched = connections(clock, { connectionsMax, checkEveryMs, isProxy })
  const refuser = unreadable(watched, newRequestId, clock)
  const scheduler = requestScheduler(clock)
  const take = taker(handle, dependencies, watched, scheduler, closing.signal)
  server.on('connection', watched.opened)
  server.on('connection', scheduler.accepted)
  server.on('request', (request, response) => take(request, response, () => {}))
  // A server may ignore other expectations (RFC 9110 section 10.1.1).
  server.on('checkExpectation', (request, response) => take(request, response, () => {}))
  server.on('checkContinue', (request, response) => {
    take(request, response, () => response.writeContinue())
  })
  server.on('clientError', ({ code, rawPacket }: ReadError, socket) =>
    refuser.refuse(code, socket, rawPacket),
  )
  server.on('connect', (_, socket) => refuseTunnel(refuser, socket))
  const url = await listen(server, address)
  return {
    url,
    connections: watched.count,
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
      watched[Symbol.dispose]()
      server.close()
    },
  }
}

/** Takes a request whose head was read; `demand` asks the client for the body. */
type Take = (request: IncomingMessage, response: ServerResponse, demand: () => void) => void

/** Returns what takes the requests of all connections, those of each in order. */
function taker(
  handle: Handle,
  { inFlight, clock }: { readonly inFlight: BytesInFlight; readonly clock: Clock },
  watched: Connections,
  scheduler: RequestScheduler,
  closing: AbortSignal,
): Take {
  const inTurn = inOrder(watched.fault)
  const writes = responseWriter(closing, clock)
  return (request, response, demand) => {
    const { socket } = request
    const fault = (): void => watched.fault(socket)
    const body = hasBody(request)
      ? requestBody(request, bodyBytesMax, demand, inFlight, fault)
      : null
    watched.seen(socket, response, body)
    if (hasTooManyFields(request)) fault()
    const isRead = body !== null && !withoutBody.has(request.method ?? '')
    if (!isRead) body?.discard()
    const begin = (): void => {
      if (socket.destroyed) return
      const read = isRead ? spaced(body, scheduler) : null
      const plain = plainRequest(request, response, read, closing)
      andThen(handle(plain), (content) => writes({ response, body, content }))
    }
    inTurn(request, response, () => scheduler.begin(clientOf(request), begin))
  }
}

/** Names the client of a request by its credentials, which are not checked yet, or by its address. */
function clientOf({ headers, socket }: IncomingMessage): string {
  return headers.authorization ?? headers.cookie ?? socket.remoteAddress ?? ''
}

/** Methods whose body has no meaning (RFC 9110 section 9.3): it is discarded. */
const withoutBody = new Set(['GET', 'HEAD', 'TRACE'])

/** Returns true if a body follows the head of a request (RFC 9112 section 6.3). */
function hasBody({ headers }: IncomingMessage): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined
}

/** Responds to CONNECT: without a listener Node closes the connection and sends no response. */
function refuseTunnel(refuser: Unreadable, socket: Duplex): void {
  // Node no longer listens for errors of this socket: a reset would end the process.
  socket.on('error', () => socket.destroy())
  refuser.refuse('CONNECT', socket)
}

/** Node's error for octets that it cannot parse. */
type ReadError = NodeJS.ErrnoException & { readonly rawPacket?: Uint8Array }

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
