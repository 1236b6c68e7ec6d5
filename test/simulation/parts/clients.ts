import { accounts } from '../../../src/collections/accounts.ts'
import { keys } from '../../../src/collections/keys.ts'
import { accountId, type AccountId, defaultAccount } from '../../../src/core/account.ts'
import { keyDigest } from '../../../src/core/secrets.ts'
import type { Store } from '../../../src/core/ports/store.ts'
import { timestamp } from '../../../src/core/timestamp.ts'

/** An account of a simulation, and its key. */
export interface Client {
  readonly account: AccountId
  readonly key: string
}

/** The administrator's key of every simulation. */
export const adminKey = 'nuncio_'.padEnd(40, 'x')

/** The accounts of every simulation: with one or two, some faults of order never show. */
export const clients: readonly Client[] = [
  { account: defaultAccount, key: adminKey },
  ...['b', 'c', 'd'].map((name) => ({
    account: accountId(`account_${name}`),
    key: `nuncio_${name.repeat(33)}`,
  })),
]

/** Puts the accounts and keys on the disk, except the administrator's. */
export async function seedClients(disk: Store, now: number): Promise<void> {
  const at = { createdAt: timestamp(now), updatedAt: timestamp(now) }
  await disk.transact(async (transaction) => {
    const writer = transaction.in(defaultAccount)
    for (const { account, key } of clients) {
      if (account === defaultAccount) continue
      const instance = { id: account, name: account, active: true, ...at }
      const placeSecret = account.padEnd(43, 'x')
      await writer.save(accounts, { id: account }, instance, { placeSecret })
      const id = `key_${account}`
      const made = { id, name: account, scopes: ['*'], account, expiresAt: null, ...at }
      await transaction.in(account).save(keys, { id }, made, { digest: keyDigest(key) })
    }
  })
}
