import { BlockList, isIP, isIPv6 } from 'node:net'

const loopbackNetworks: readonly string[] = Object.freeze(['127.0.0.0/8', '::1/128'])
const noNetworks: readonly string[] = Object.freeze([])

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
loopback.addAddress('::1', 'ipv6')

/**
 * The networks that webhooks may reach where the operator says nothing: those of this machine while
 * nobody but this machine can make a webhook, else none.
 */
export function defaultNetworks(host: string): readonly string[] {
  return isLoopback(host) ? loopbackNetworks : noNetworks
}

function isLoopback(host: string): boolean {
  if (isIP(host) === 0) return host.toLowerCase() === 'localhost'
  return loopback.check(host, isIPv6(host) ? 'ipv6' : 'ipv4')
}
