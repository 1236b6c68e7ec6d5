import { accounts } from '../../collections/accounts.ts'
import { type AccountId, accountId, defaultAccount } from '../../core/account.ts'
import type { Query } from '../../core/declaration/query.ts'
import { type Store, where } from '../../core/ports/store.ts'

/** Accounts per page. */
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
