import dns from 'node:dns/promises'
import { syncBuiltinESMExports } from 'node:module'

/** What the names of an attacker's domain resolve to, in turn: an allowed address, and then what it is after. */
const addresses = ['127.0.0.1', '127.0.0.3', '::ffff:127.0.0.3', '169.254.169.254']

// Loaded into the service: the machine's resolver knows no such domain.
const { lookup } = dns
const asked = new Map<string, number>()
Object.assign(dns, {
  lookup: async (name: string, options: object) => {
    if (!name.endsWith('.rebinding.test')) return lookup(name, options)
    const count = asked.get(name) ?? 0
    asked.set(name, count + 1)
    const address = addresses[count % addresses.length] ?? ''
    return [{ address, family: address.includes(':') ? 6 : 4 }]
  },
})
syncBuiltinESMExports()
