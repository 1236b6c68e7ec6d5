import type { AccountId } from '../../core/account.ts'
import { type BytesInFlight, uncountedBytesMax } from '../server/bytes-in-flight.ts'
import type { PlainResponse } from '../server/request.ts'

/**
 * Counts a large response for its account until it is written: clients that do not read would otherwise
 * fill the memory. Throws what `add` throws.
 */
export function holdResponse(
  inFlight: BytesInFlight,
  account: AccountId,
  response: PlainResponse,
): PlainResponse {
  const { body } = response
  if (typeof body !== 'string' || body.length <= uncountedBytesMax) return response
  const held = inFlight.hold(account)
  held.add(body.length)
  return { ...response, written: held.release }
}
