import { isIP } from 'node:net'
import { header, type RequestHead } from '../server/request.ts'

/** Returns the address of the client of a request; null if it is unknown. */
export type ClientAddress = (request: RequestHead) => string | null

/** Addresses that are read of a field: more proxies than that are not in a row. */
const addressesMax = 20

/**
 * Finds the address of a client. `Forwarded` (RFC 7239), or `X-Forwarded-For` without it, counts only as
 * far as trusted proxies wrote it: from the end, up to the first address that is no trusted proxy.
 */
export function clientAddresses(isTrusted: (address: string) => boolean): ClientAddress {
  return (request) => {
    let address = plain(request.peer?.() ?? '')
    if (address === null || !isTrusted(address)) return address
    for (const text of forwardedFor(request).slice(-addressesMax).toReversed()) {
      const before = plain(text)
      if (before === null) return address
      address = before
      if (!isTrusted(address)) return address
    }
    return address
  }
}

function forwardedFor(request: RequestHead): readonly string[] {
  const forwarded = header(request, 'forwarded')
  if (forwarded === undefined) return (header(request, 'x-forwarded-for') ?? '').split(',')
  return forwarded.split(',').map((hop) => /(?:^|;)\s*for="?([^;"]*)"?/i.exec(hop)?.[1] ?? '')
}

/** Returns an address without brackets, port, zone and the prefix of mapped ones; null if it is none. */
function plain(text: string): string | null {
  const bare = text.trim().replace(/^\[([^\]]*)\](?::\d+)?$/, '$1')
  const address = bare.replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1').replace(/%.*$/, '')
  const mapped = address.replace(/^::ffff:(?=\d+\.)/i, '')
  return isIP(mapped) === 0 ? null : mapped
}
