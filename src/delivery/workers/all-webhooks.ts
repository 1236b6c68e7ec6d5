import { webhooks } from '../../collections/webhooks.ts'
import { everyAccount } from '../../core/account.ts'
import type { Store, Stored } from '../../core/ports/store.ts'

/** Webhooks per page. */
const pageSize = 100

/**
 * Reads the webhooks of every account, page by page. It may miss one that is added or removed
 * during the read.
 */
export async function* allWebhooks(store: Store): AsyncIterable<readonly Stored[]> {
  for (let offset = 0; ; offset += pageSize) {
    const sort = [{ path: ['id'], direction: 'asc' }] as const
    const query = { conditions: [], searchTerms: [], sort, start: { offset }, limit: pageSize }
    const page = await store.read(everyAccount, (reader) => reader.list(webhooks, null, query))
    yield page
    if (page.length < pageSize) return
  }
}
