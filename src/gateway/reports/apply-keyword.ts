import type { IncomingEvent } from '../../core/ports/carrier.ts'
import type { Instant } from '../../core/ports/clock.ts'
import { formats } from '../../core/declaration/format.ts'
import type { NewId } from '../../core/id.ts'
import type { Writer } from '../../core/ports/store.ts'
import { timestamp } from '../../core/timestamp.ts'
import { optOuts, pairText, type OptOut, type Pair } from '../../collections/opt-outs.ts'
import type { WishOf } from './keyword.ts'

/**
 * Does what a received message asks for that is a keyword: an opt-out for its sender and the address
 * that it arrived at is made, or ended. An opt-out from every sender stays: no keyword made it.
 */
export async function applyKeyword(
  writer: Writer,
  { from, to, body }: IncomingEvent,
  given: { readonly newId: NewId; readonly at: Instant; readonly wishOf: WishOf },
): Promise<void> {
  const wish = given.wishOf(body)
  if (wish === null) return
  const address = formats.recipient.read(from)
  const sender = formats.sender.read(to)
  // Nothing can be sent between the two.
  if (!address.ok || !sender.ok) return

  const pair = { address: address.text, sender: sender.text }
  const known = await writer.findBy(optOuts, 'pair', pairText(pair))
  if (wish === 'STOP' && known === null) await optOut(writer, pair, given)
  if (wish === 'START' && known !== null) await writer.remove(optOuts, { id: known.id })
}

async function optOut(
  writer: Writer,
  { address, sender }: Pair,
  { newId, at }: { readonly newId: NewId; readonly at: Instant },
): Promise<void> {
  const date = timestamp(at)
  const made: OptOut = {
    id: newId(optOuts.noun),
    address,
    sender,
    reason: 'KEYWORD',
    createdAt: date,
    updatedAt: date,
  }
  await writer.save(optOuts, { id: made.id }, made, { pair: pairText(made) })
}
