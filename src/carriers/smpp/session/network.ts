import { connect as connectTcp, isIP, type Socket } from 'node:net'

/** Address of an SMSC. */
export interface SmscAddress {
  readonly host: string
  readonly port: number
  readonly tls: boolean
  /** The certificates, in PEM, of those who may vouch for it; null: those that the machine trusts. */
  readonly authority: string | null
}

/** Events of a connection. `onEnd` comes once and last. */
export interface ConnectionEvents {
  onOpen(): void
  onOctets(octets: Buffer): void
  /** The write buffer is empty again after `write` returned false. */
  onRoom(): void
  onEnd(reason: string): void
}

/** A connection to an SMSC. */
export interface SmppConnection {
  /** Sends octets; returns false if the caller should wait for `onRoom`. */
  write(octets: Uint8Array): boolean
  /** Stops reading until `resume`: the other side has to wait. */
  pause(): void
  resume(): void
  /** Closes the connection immediately. */
  destroy(): void
}

/** Opens a connection: the network, passed in. */
export type Connect = (target: SmscAddress, events: ConnectionEvents) => SmppConnection

/** Connects over the machine's network. Writes within one turn of the event loop leave together. */
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
      // Flush first: the buffer may hold the reason for the end.
      if (corked) socket.uncork()
      socket.destroy()
    },
  }
}

function socketTo({ host, port, tls, authority }: SmscAddress): Socket {
  if (!tls) return connectTcp({ host, port })
  const ca = authority === null ? {} : { ca: authority }
  // An address is not a server name (RFC 6066, section 3); TLS still checks the certificate against
  // it.
  const name = isIP(host) === 0 ? { servername: host } : {}
  // Not imported: it takes 5 MB (docs/decisions/0016), and most carriers are reached without.
  return process.getBuiltinModule('node:tls').connect({ host, port, ...name, ...ca })
}

/** Delay of TCP keep-alive, in milliseconds; enquire_link comes much earlier. */
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
