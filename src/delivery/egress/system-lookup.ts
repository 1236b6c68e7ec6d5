import { lookup } from 'node:dns/promises'
import type { AddressLookup } from './connect.ts'

/** Asks the machine's resolver, its hosts file included, in the order in which it answers. */
export const systemLookup: AddressLookup = async (hostname) => {
  const found = await lookup(hostname, { all: true, order: 'verbatim' })
  return found.map(({ address }) => address)
}
