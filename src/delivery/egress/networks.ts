import { BlockList, isIP } from 'node:net'
import { networkInterfaces } from 'node:os'

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
