import { networkInterfaces } from 'node:os'
import { networks } from './networks.ts'

const loopback = networks(['127.0.0.0/8', '::1/128'])

/** Whether an address is one of this machine, as its interfaces are just now. */
export function isOwnAddress(address: string): boolean {
  if (loopback.has(address)) return true
  return Object.values(networkInterfaces()).some((found) =>
    found?.some((own) => own.address === address),
  )
}
