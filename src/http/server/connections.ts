import type { ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Socket } from 'node:net'
import type { Clock } from '../../core/ports/clock.ts'
import { faultsByAddress, networkOf, unmapped } from '../access/faults-by-address.ts'
import type { RequestBody } from './request-body.ts'

/** The open connections of a server: their number and the pace of their clients are bounded. */
export interface Connections extends Disposable {
  /** Records a new connection; closes others, or this one, if there are too many. */
  opened(socket: Socket): void
  /** Records a request that Node could parse, and the body that follows it. */
  seen(socket: Duplex, response: ServerResponse, body: RequestBody | null): void
  /**
   * Counts what a connection sent as a fault that costs the service more than its client. If its address
   * has too many, closes those of its connections that wait for a request, and new ones.
   */
  fault(socket: Duplex): void
  /** Returns how many are open. */
  count(): number
  /** Returns the latest response of a connection, if any. */
  latest(socket: Duplex): ServerResponse | undefined
}

/** Limits of the connections. */
export interface ConnectionLimits {
  readonly connectionsMax: number
  /** Interval between checks of the clients' pace, in milliseconds. */
  readonly checkEveryMs: number
  /** Returns true for the address of a proxy, which connects for many clients. */
  readonly isProxy: (address: string) => boolean
}

/** Faults of an address before its connections are closed, and their number per second after that. */
const faultRate = { burst: 10, perSecond: 1 }

/** Octets that a client must send of a body within one interval. */
const bodyBytesMin = 4096

/**
 * Checks after which a client must have read something of the response that waits for it. Several: the
 * system buffers megabytes for a connection and reports them read in lumps.
 */
const unreadChecksMax = 6
/** Octets that a client must read by then. */
const readBytesMin = 65_536

/** The share of the connections that one check closes if there are too many. */
const evictedShare = 0.01

/** A connection as it is watched. */
interface Connection {
  /** The network that its client's faults count for; null if they do not. */
  readonly network: string | null
  response: ServerResponse | undefined
  body: RequestBody | null
  /** The number of checks before the last request. */
  usedAt: number
  /** Octets that the client had read when its response began to wait; -1 if none waits. */
  readBefore: number
  unreadChecks: number
}

/**
 * Watches connections. Nothing is done per request but to note it: every few seconds all connections are
 * looked at.
 */
export function connections(clock: Clock, limits: ConnectionLimits): Connections {
  const open = new Map<Duplex, Connection>()
  let checks = 0
  let cancel = clock.after(limits.checkEveryMs, function repeat() {
    checks += 1
    for (const [socket, connection] of open) check(socket, connection)
    cancel = clock.after(limits.checkEveryMs, repeat)
  })

  const makeRoom = (): void => {
    const victims = [...open]
      .filter(([, connection]) => isIdle(connection))
      .toSorted(([, a], [, b]) => rank(a) - rank(b))
      .slice(0, Math.ceil(limits.connectionsMax * evictedShare))
    for (const [socket] of victims) {
      open.delete(socket)
      socket.destroy()
    }
  }

  const { networkOfClient, isCutOff, fault } = cutOffs(open, clock, limits)

  return {
    count: () => open.size,
    fault,
    opened: (socket) => {
      const network = networkOfClient(socket)
      if (isCutOff(network)) return void socket.destroy()
      if (open.size >= limits.connectionsMax) makeRoom()
      if (open.size >= limits.connectionsMax) {
        socket.destroy()
        return
      }
      open.set(socket, newConnection(checks, network))
      socket.once('close', () => open.delete(socket))
    },
    seen: (socket, response, body) => {
      const connection = open.get(socket)
      if (connection === undefined) return
      connection.response = response
      connection.body = body
      connection.usedAt = checks
    },
    latest: (socket) => open.get(socket)?.response,
    [Symbol.dispose]: () => cancel(),
  }
}

/** Counts the faults of addresses, and closes the connections of those with too many. */
function cutOffs(
  open: ReadonlyMap<Duplex, Connection>,
  clock: Clock,
  { isProxy }: Pick<ConnectionLimits, 'isProxy'>,
) {
  const faults = faultsByAddress(clock, faultRate)
  const isCutOff = (network: string | null): boolean =>
    network !== null && faults.waitMs(network) > 0
  return {
    isCutOff,
    networkOfClient: ({ remoteAddress }: Socket): string | null => {
      if (remoteAddress === undefined || isProxy(unmapped(remoteAddress))) return null
      return networkOf(remoteAddress)
    },
    fault: (socket: Duplex): void => {
      const network = open.get(socket)?.network ?? null
      if (network === null) return
      faults.add(network)
      if (!isCutOff(network)) return
      for (const [other, connection] of open) {
        const isOwn = other !== socket && connection.network === network
        if (isOwn && isIdle(connection)) other.destroy()
      }
    },
  }
}

function newConnection(usedAt: number, network: string | null): Connection {
  return { network, response: undefined, body: null, usedAt, readBefore: -1, unreadChecks: 0 }
}

/** A connection without a request in progress, or whose request is still arriving. */
function isIdle({ response }: Connection): boolean {
  return response === undefined || response.writableFinished || !response.req.complete
}

/** Connections that never had a request are closed first, then those whose last one is longest ago. */
function rank({ response, usedAt }: Connection): number {
  return response === undefined ? usedAt - Number.MAX_SAFE_INTEGER : usedAt
}

/** Closes a connection whose client neither sends its body nor reads its response. */
function check(socket: Duplex, connection: Connection): void {
  const { response, body } = connection
  if (response?.req.complete === false) body?.checkRate(bodyBytesMin)
  // Else an idle connection keeps the memory of its last body.
  else connection.body = null
  const waiting = socket.writableLength
  if (waiting === 0 || !('bytesWritten' in socket)) {
    connection.readBefore = -1
    return
  }
  // `bytesWritten` includes what still waits.
  const read = Number(socket.bytesWritten) - waiting
  if (connection.readBefore === -1 || read - connection.readBefore >= readBytesMin) {
    connection.readBefore = read
    connection.unreadChecks = 0
  } else if (++connection.unreadChecks >= unreadChecksMax) {
    socket.destroy()
  }
}
