import type { PendingPart } from '../../core/ports/carrier.ts'
import type { ExpectedReceipt } from '../../core/ports/receipts.ts'
import type { Store, Transaction } from '../../core/ports/store.ts'
import { findMessage, outgoingMessage } from '../messages/stored-message.ts'

/** The number of parts in one read: large, since a store scans all of them for each page. */
const pageSize = 5000

/** Iterates over the parts of a carrier that have no outcome yet. */
export async function* pendingParts(store: Store, carrier: string): AsyncIterable<PendingPart> {
  let after: string | null = null
  do {
    const page: readonly PendingPart[] = await readPage(store, carrier, after)
    yield* page
    after = page.length === pageSize ? (page.at(-1)?.carrierMessageId ?? null) : null
  } while (after !== null)
}

function readPage(
  store: Store,
  carrier: string,
  after: string | null,
): Promise<readonly PendingPart[]> {
  return store.transact(async (transaction) => {
    const page: PendingPart[] = []
    for (const part of await transaction.receipts.pending(carrier, after, pageSize)) {
      page.push(await pendingPart(transaction, part))
    }
    return page
  })
}

async function pendingPart(
  transaction: Transaction,
  { account, messageId, carrierMessageId }: ExpectedReceipt,
): Promise<PendingPart> {
  const kept = await findMessage(transaction.in(account), messageId)
  return { carrierMessageId, message: kept && outgoingMessage(account, kept) }
}
