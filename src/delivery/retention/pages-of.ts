import type { AccountId } from '../../core/account.ts'
import type { Collection } from '../../core/declaration/collection.ts'
import type { Start } from '../../core/declaration/query.ts'
import type { Store, Stored } from '../../core/ports/store.ts'
import { sliceMax } from './trim.ts'

/** Reads the instances of a root collection of an account, page by page. */
export async function* pagesOf(
  store: Pick<Store, 'read'>,
  account: AccountId,
  collection: Collection,
): AsyncIterable<readonly Stored[]> {
  let start: Start | null = { offset: 0 }
  while (start !== null) {
    const query = { conditions: [], searchTerms: [], sort, start, limit: sliceMax }
    const read = store.read(account, (reader) => reader.list(collection, null, query))
    const page: readonly Stored[] = await read
    yield page
    const last = page.at(-1)
    start = last === undefined || page.length < sliceMax ? null : { after: [last.id] }
  }
}

const sort = [{ path: ['id'], direction: 'asc' }] as const
