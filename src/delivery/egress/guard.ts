import { lookup } from 'node:dns/promises'
import { BlockList, isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import { domainToUnicode } from 'node:url'
import { formats } from '../../core/declaration/format.ts'

/** Egress filter: public addresses, and the networks that the operator allows. */
export interface EgressGuard {
  /**
   * Returns why a webhook cannot have this URL, as "must …"; null if it can. It resolves no names:
   * `permits` checks the address of each connection.
   */
  refusal(url: string): string | null
  /** Returns true if a connection for `http:` or `https:` to this address and port is allowed. */
  permits(protocol: string, address: string, port: number): boolean
}

/** Address of the service: a webhook to it would let the service call itself. */
export interface OwnPlace {
  /** The port that it listens on; null while it does not. */
  port(): number | null
  /** Returns true for an address of this machine. */
  has(address: string): boolean
}

/**
 * Networks that are not public, after the IANA special-purpose address registries (RFC 6890). In
 * IPv6 only 2000::/3 is global unicast (RFC 4291 section 2.4); all the rest is refused: ::, ::1,
 * IPv4-mapped and -compatible (::/96, ::ffff:0:0/96), NAT64 (64:ff9b::/96, 64:ff9b:1::/48), discard
 * (100::/64), unique-local (fc00::/7, with fd00:ec2::254), link-local (fe80::/10), site-local
 * (fec0::/10) and multicast (ff00::/8).
 */
const reserved = networks([
  '0.0.0.0/8', // "this network", 0.0.0.0
  '10.0.0.0/8', // private
  '100.64.0.0/10', // shared by carriers (CGNAT); a cloud's metadata at 100.100.100.200
  '127.0.0.0/8', // loopback
  '168.63.129.16/32', // a cloud's agent, at an address that looks public
  '169.254.0.0/16', // link-local; the clouds' metadata at 169.254.169.254
  '172.16.0.0/12', // private
  '192.0.0.0/24', // protocol assignments
  '192.0.2.0/24', // documentation
  '192.88.99.0/24', // 6to4 relays
  '192.168.0.0/16', // private
  '198.18.0.0/15', // benchmarking
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, 255.255.255.255

  '::/3',
  '2001::/23', // protocol assignments: Teredo, benchmarking, ORCHID
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4
  '3fff::/20', // documentation
  '4000::/2',
  '8000::/1',
])

/** Every name that ends so leads to the machine itself (RFC 6761 section 6.3). */
const localNames = /(^|\.)localhost\.?$/
const localAddresses = ['127.0.0.1', '::1']

/**
 * A guard that lets requests out to public addresses over https, and to `allowed` over http too; none
 * to the service itself.
 */
export function egressGuard(allowed: Networks, own: OwnPlace = nowhere): EgressGuard {
  const isOwn = (address: string, port: number): boolean => port === own.port() && own.has(address)
  const permits: EgressGuard['permits'] = (protocol, address, port) => {
    if (isIP(address) === 0 || isOwn(address, port)) return false
    return allowed.has(address) || (protocol === 'https:' && !reserved.has(address))
  }

  return {
    permits,
    refusal: (text) => {
      const read = formats.url.read(text)
      if (!read.ok) return read.detail
      const url = new URL(text)
      if (text.includes('#')) return 'must have no fragment'
      if (url.port === '0') return 'must have a port other than 0'

      const known = knownAddresses(url.hostname)
      if (known === null && !isHostName(url.hostname)) return noHost
      if (known === null) return url.protocol === 'http:' && allowed.isEmpty ? notPlain : null
      const port = portOf(url)
      if (known.some((address) => permits(url.protocol, address, port))) return null
      if (known.some((address) => permits('https:', address, port))) return notPlain
      return known.some((address) => isOwn(address, port)) ? notItself : notThere
    },
  }
}

const noHost =
  'must have the name of a host: labels of 1 to 63 letters, digits and hyphens, 253 characters in all'
const notPlain =
  'must be an https URL: http is accepted towards networks that the operator allows, and nowhere else'
const notItself = 'must not lead to this service itself'
const notThere =
  'must not lead to a loopback, private or otherwise reserved address, unless the operator allows its network'

/** Not listening anywhere. */
const nowhere: OwnPlace = { port: () => null, has: () => false }

/** The port that a URL leads to. */
export function portOf({ port, protocol }: Pick<URL, 'port' | 'protocol'>): number {
  if (port !== '') return Number(port)
  return protocol === 'https:' ? 443 : 80
}

/**
 * Returns the addresses of a host literal; null for a name. The URL parser converts decimal, octal,
 * hexadecimal and short forms to four decimal numbers.
 */
function knownAddresses(host: string): readonly string[] | null {
  const bare = host.startsWith('[') ? host.slice(1, -1) : host
  if (isIP(bare) !== 0) return [bare]
  return localNames.test(host) ? localAddresses : null
}

/** A label of a name (RFC 1123 section 2.1); underscores are found in the names of private networks. */
const label = /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/
const nameLengthMax = 253

/** Returns true if a name, as the URL parser gives it, can be a host name: a final dot is allowed. */
export function isHostName(name: string): boolean {
  const bare = name.replace(/\.$/, '')
  return bare.length <= nameLengthMax && bare.split('.').every(isLabel)
}

/** A Punycode label (RFC 3492) must decode to something. */
function isLabel(text: string): boolean {
  return label.test(text) && (!text.startsWith('xn--') || domainToUnicode(text) !== text)
}

/** A set of networks. */
export interface Networks {
  readonly isEmpty: boolean
  /** Returns true if an address of either family is in one of them; false for other texts. */
  has(address: string): boolean
}

/**
 * Reads networks in the form `10.0.0.0/8`, `fd00::/8`, or a single address. Throws RangeError naming
 * the one that is none. An IPv4-mapped address (`::ffff:10.0.0.1`) is IPv6: only IPv6 networks hold it.
 */
export function networks(texts: readonly string[]): Networks {
  // One list for each family: a single one would find every IPv4 address in `::/3`, as a mapped one.
  const lists = { 4: new BlockList(), 6: new BlockList() }
  for (const text of texts) {
    const { address, prefix, family } = parse(text)
    lists[family].addSubnet(address, prefix, `ipv${family}`)
  }
  return {
    isEmpty: texts.length === 0,
    has: (address) => {
      const family = familyOf(address)
      return family !== null && lists[family].check(address, `ipv${family}`)
    },
  }
}

type Family = 4 | 6

function familyOf(address: string): Family | null {
  const family = isIP(address)
  return family === 4 || family === 6 ? family : null
}

function parse(text: string): { address: string; prefix: number; family: Family } {
  const [address = '', length, ...rest] = text.trim().split('/')
  const family = familyOf(address)
  const prefixMax = family === 4 ? 32 : 128
  const prefix = length === undefined ? prefixMax : Number(length)
  const isPrefix = length === undefined || /^\d{1,3}$/.test(length)
  if (
    family === null ||
    address.includes('%') ||
    !isPrefix ||
    prefix > prefixMax ||
    rest.length > 0
  ) {
    throw new RangeError(`"${text}" is no network such as 10.0.0.0/8 or fd00::/8`)
  }
  return { address, prefix, family }
}

const loopback = networks(['127.0.0.0/8', '::1/128'])

/** Returns true for an address of this machine, by its current interfaces. */
export function isOwnAddress(address: string): boolean {
  if (loopback.has(address)) return true
  return Object.values(networkInterfaces()).some((found) =>
    found?.some((own) => own.address === address),
  )
}

/** Resolves a host name to all its addresses. Rejects if it has none. */
export type AddressLookup = (hostname: string) => Promise<readonly string[]>

/** Asks the machine's resolver, its hosts file included, in the order in which it answers. */
export const systemLookup: AddressLookup = async (hostname) => {
  const found = await lookup(hostname, { all: true, order: 'verbatim' })
  return found.map(({ address }) => address)
}
