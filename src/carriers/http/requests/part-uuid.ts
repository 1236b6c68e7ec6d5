import { hash } from 'node:crypto'
import type { OutgoingMessage } from '../../../core/ports/carrier.ts'

/**
 * Returns the UUID (RFC 9562, version 8) of a part of a message at a carrier: that of a repeated request is the
 * same, so a provider that knows it does not send twice, and a late receipt of the first request finds its message.
 */
export function partUuid(
  carrier: string,
  { account, id, correlation }: Pick<OutgoingMessage, 'account' | 'id' | 'correlation'>,
  part: number,
): string {
  // A client can delete a message and choose its identifier again: the request that created it tells them apart.
  const name = JSON.stringify([carrier, account, id, correlation ?? null, part])
  const octets = hash('sha256', name, 'buffer').subarray(0, 16)
  octets[6] = ((octets[6] ?? 0) & 0x0f) | 0x80
  octets[8] = ((octets[8] ?? 0) & 0x3f) | 0x80
  return octets.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
