import { isIP, type LookupFunction } from 'node:net'
import { buildConnector } from 'undici'
import { portOf, type EgressGuard } from './guard.ts'
import type { AddressLookup } from './system-lookup.ts'

/** The guard lets no connection through. `message` is a clause that names no address: it is shown to tenants. */
export class Blocked extends Error {
  override readonly name = 'Blocked'
}

/** Timeout of a connection, TLS included, in milliseconds. */
export const connectMsMax = 10_000

/** More addresses of a name than this are not tried. */
const addressesMax = 16

/** Dependencies of a connection. */
export interface ConnectParts {
  readonly guard: EgressGuard
  readonly lookup: AddressLookup
  /** Certificate authorities to trust instead of the system's, in PEM. */
  readonly ca?: string
  /** Plural noun of the callers, for the text of a refusal; webhooks by default. */
  readonly who?: string
}

/**
 * Makes connections for undici, to addresses that the guard permits and to no other. A name is
 * resolved once, each address is checked, and the connection goes to one of those checked: there
 * is no second look-up that could lead elsewhere. Fails with `Blocked`.
 */
export function guardedConnector(parts: ConnectParts): buildConnector.connector {
  const { guard, who = 'webhooks' } = parts
  const connectors = { http: connector('http:', parts), https: connector('https:', parts) }
  return (options, callback) => {
    const { protocol, hostname } = options
    const port = portOf({ port: options.port, protocol })
    if (isIP(hostname) !== 0 && !guard.permits(protocol, hostname, port)) {
      return callback(new Blocked(`its address is not one that ${who} may reach`), null)
    }
    const connect = protocol === 'https:' ? connectors.https : connectors.http
    connect(options, (error, socket) => {
      if (error !== null) return callback(error, null)
      const peer = socket.remoteAddress
      if (peer !== undefined && guard.permits(protocol, peer, port)) return callback(null, socket)
      socket.destroy()
      callback(new Blocked(`it was connected to an address that ${who} may not reach`), null)
    })
  }
}

function connector(protocol: string, parts: ConnectParts): buildConnector.connector {
  return buildConnector({
    allowH2: false,
    timeout: connectMsMax,
    autoSelectFamily: true,
    lookup: checkedLookup(protocol, parts),
    ...(parts.ca === undefined ? {} : { ca: parts.ca }),
  })
}

/** A look-up is for any port: whether it is that of the service itself is checked when it is connected. */
const notYetKnown = 0

/** In the form that `net.connect` asks for; it is not asked where the host is an address. */
function checkedLookup(protocol: string, parts: ConnectParts): LookupFunction {
  const { guard, lookup, who = 'webhooks' } = parts
  return (hostname, options, callback) => {
    const answer = (addresses: readonly string[]): void => {
      const permitted = addresses
        .filter((address) => guard.permits(protocol, address, notYetKnown))
        .slice(0, addressesMax)
        .map((address) => ({ address, family: isIP(address) }))
      const [first] = permitted
      if (first === undefined) return callback(new Blocked(reason(addresses, who)), '')
      if (options.all === true) return callback(null, permitted)
      callback(null, first.address, first.family)
    }
    lookup(hostname).then(answer, (error: Error) => callback(error, ''))
  }
}

function reason(addresses: readonly string[], who: string): string {
  return addresses.length === 0
    ? 'its name has no address'
    : `its name leads to an address that ${who} may not reach`
}
