import { webhooks } from '../../collections/webhooks.ts'
import { everyAccount } from '../../core/account.ts'
import type { Store, Stored } from '../../core/ports/store.ts'

/** Webhooks are looked through so many at a time. */
const pageSize = 100

/**
 * The webhooks of every account, a page at a time. One that is added or removed meanwhile may be
 * missed.
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
