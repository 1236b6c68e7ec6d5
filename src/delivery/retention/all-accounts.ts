import { accounts } from '../../collections/accounts.ts'
import { type AccountId, accountId, defaultAccount } from '../../core/account.ts'
import type { Collection } from '../../core/declaration/collection.ts'
import type { Query, Start } from '../../core/declaration/query.ts'
import { type Store, type Stored, where } from '../../core/ports/store.ts'

/** Accounts, or instances of one of them, per page. */
const pageSize = 200

/** Reads every account; that of the administrator need not be stored. */
export async function* allAccounts(store: Store): AsyncIterable<AccountId> {
  yield defaultAccount
  const page = where([], pageSize)
  for (let last: string | null = null; ;) {
    const query: Query = last === null ? page : { ...page, start: { after: [last] } }
    const found = await store.read(defaultAccount, (reader) => reader.list(accounts, null, query))
    for (const { id } of found) if (id !== defaultAccount) yield accountId(id)
    last = found.at(-1)?.id ?? null
    if (found.length < pageSize) return
  }
}

/** Reads the instances of a root collection of an account, page by page. */
export async function* pagesOf(
  store: Pick<Store, 'read'>,
  account: AccountId,
  collection: Collection,
): AsyncIterable<readonly Stored[]> {
  let start: Start | null = { offset: 0 }
  while (start !== null) {
    const query = { conditions: [], searchTerms: [], sort, start, limit: pageSize }
    const read = store.read(account, (reader) => reader.list(collection, null, query))
    const page: readonly Stored[] = await read
    yield page
    const last = page.at(-1)
    start = last === undefined || page.length < pageSize ? null : { after: [last.id] }
  }
}

const sort = [{ path: ['id'], direction: 'asc' }] as const

/**
 * Does work for one item after the other. A failure, such as that of the server of one account, does not keep
 * the others from theirs; the first failure is thrown at the end.
 */
export async function separately<T>(
  items: AsyncIterable<T>,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const failures: unknown[] = []
  for await (const item of items) {
    try {
      await work(item)
    } catch (error) {
      failures.push(error)
    }
  }
  if (failures.length > 0) throw failures[0]
}
