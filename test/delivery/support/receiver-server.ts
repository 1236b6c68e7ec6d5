import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import { certificate } from './certificate.ts'

/** A request as a receiver saw it. */
export interface Seen {
  readonly method: string
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly rawHeaders: readonly string[]
  readonly body: string
}

/** A receiver on loopback. */
export interface ReceiverServer extends AsyncDisposable {
  readonly port: number
  readonly origin: string
  readonly seen: Seen[]
  /** Every connection that was made to it. */
  readonly sockets: Socket[]
  /** The addresses that they were made to. */
  readonly addresses: (string | undefined)[]
}

/** Starts a receiver; `answer` is called when the whole request is there. */
export async function receiverServer(
  answer: (response: ServerResponse, seen: Seen) => void,
  { tls = false, host = '127.0.0.1' } = {},
): Promise<ReceiverServer> {
  const seen: Seen[] = []
  const sockets: Socket[] = []
  const addresses: (string | undefined)[] = []
  const onRequest = (request: IncomingMessage, response: ServerResponse): void => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { method = '', url = '', headers, rawHeaders } = request
      const body = Buffer.concat(chunks).toString()
      const one = { method, path: url, headers, rawHeaders, body }
      seen.push(one)
      answer(response, one)
    })
  }
  const server = tls ? createTlsServer(certificate, onRequest) : createServer(onRequest)
  server.on('connection', (socket: Socket) => {
    // A connection that breaks is what some tests are about.
    socket.on('error', () => {})
    sockets.push(socket)
    addresses.push(socket.localAddress)
  })
  server.listen(0, host)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo

  return {
    port,
    origin: `${tls ? 'https' : 'http'}://127.0.0.1:${port}`,
    seen,
    sockets,
    addresses,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      server.close()
      for (const socket of sockets) socket.destroy()
      await once(server, 'close')
    },
  }
}
