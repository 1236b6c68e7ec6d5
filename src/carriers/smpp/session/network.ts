import { connect as connectTcp, isIP, type Socket } from 'node:net'

/** Where an SMSC listens. */
export interface SmppAddress {
  readonly host: string
  readonly port: number
  readonly tls: boolean
  /** The certificates, in PEM, of those who may vouch for it; null: those that the machine trusts. */
  readonly authority: string | null
}

/** What a connection tells. After `onEnd`, which comes once, it tells nothing more. */
export interface ConnectionEvents {
  onOpen(): void
  onOctets(octets: Buffer): void
  /** What was written has left, after `write` said that too much was waiting. */
  onRoom(): void
  onEnd(reason: string): void
}

/** A connection to an SMSC. */
export interface SmppConnection {
  /** Sends octets; false while so much waits to be sent that no more should be made. */
  write(octets: Uint8Array): boolean
  /** Reads no more until `resume`: the other side has to wait. */
  pause(): void
  resume(): void
  /** Ends it at once. */
  destroy(): void
}

/** Opens a connection: the network, passed in. */
export type Connect = (target: SmppAddress, events: ConnectionEvents) => SmppConnection

/** The network of the machine. What is written within a turn of the event loop leaves together. */
export const systemConnect: Connect = (target, events) => {
  const socket = socketTo(target)
  // Small PDUs that answer each other must not wait for one another (RFC 896).
  socket.setNoDelay(true)
  socket.setKeepAlive(true, keepAliveMs)
  listen(socket, target.tls ? 'secureConnect' : 'connect', events)

  let corked = false
  return {
    write: (octets) => {
      if (!corked) {
        corked = true
        socket.cork()
        setImmediate(() => {
          corked = false
          socket.uncork()
        })
      }
      return socket.write(octets)
    },
    pause: () => void socket.pause(),
    resume: () => void socket.resume(),
    destroy: () => {
      // What can leave at once does: the reason for which it ends.
      if (corked) socket.uncork()
      socket.destroy()
    },
  }
}

function socketTo({ host, port, tls, authority }: SmppAddress): Socket {
  if (!tls) return connectTcp({ host, port })
  const ca = authority === null ? {} : { ca: authority }
  // An address is no server name (RFC 6066, section 3); the certificate is checked against it all the same.
  const name = isIP(host) === 0 ? { servername: host } : {}
  // Not imported: it takes 5 MB (docs/decisions/0016), and most carriers are reached without.
  return process.getBuiltinModule('node:tls').connect({ host, port, ...name, ...ca })
}

/** How long a silent connection is left alone by TCP; enquire_link asks much earlier. */
const keepAliveMs = 60_000

function listen(socket: Socket, opened: string, events: ConnectionEvents): void {
  let reason = 'the SMSC closed the connection'
  socket.once(opened, () => events.onOpen())
  socket.on('data', (octets: Buffer) => events.onOctets(octets))
  socket.on('drain', () => events.onRoom())
  socket.on('error', (error: NodeJS.ErrnoException) => {
    reason = error.code === undefined ? error.message : `${error.code}: ${error.message}`
  })
  socket.once('close', () => events.onEnd(reason))
}
