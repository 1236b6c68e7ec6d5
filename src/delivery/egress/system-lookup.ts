import { lookup } from 'node:dns/promises'

/** Resolves a host name to all its addresses. Rejects if it has none. */
export type AddressLookup = (hostname: string) => Promise<readonly string[]>

/** Asks the machine's resolver, its hosts file included, in the order in which it answers. */
export const systemLookup: AddressLookup = async (hostname) => {
  const found = await lookup(hostname, { all: true, order: 'verbatim' })
  return found.map(({ address }) => address)
}
