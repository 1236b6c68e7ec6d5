import type { Store } from '../../../src/core/ports/store.ts'
import type { Collection } from '../../../src/core/declaration/collection.ts'
import { accounts } from '../../../src/collections/accounts.ts'
import { creditMovements } from '../../../src/collections/credits/credit-movements.ts'
import { incomingMessages } from '../../../src/collections/incoming-messages.ts'
import { messages } from '../../../src/collections/messages.ts'
import { numbers } from '../../../src/collections/numbers.ts'
import { optOuts } from '../../../src/collections/opt-outs.ts'
import { memoryStore } from '../../oracle/memory-store.ts'
import { sqliteStore } from '../../../src/stores/sqlite/sqlite-store.ts'
import { noPostgres } from '../../support/postgres/database.ts'
import { openPostgres } from '../../support/postgres/open-store.ts'
import { flushAtOnce } from '../../support/flush-at-once.ts'
import { temporaryDirectory } from '../../stores/temporary-directory.ts'

/** The stores that messages go their way over. */
export const storeKinds = ['memory', 'sqlite'] as const

/** All of them, PostgreSQL included: over it, things take their time. */
export const everyStoreKind = [...storeKinds, 'postgres'] as const

/** All of them that there are here. */
export const presentStoreKinds = (await noPostgres()) === false ? everyStoreKind : storeKinds

/** What the gateway keeps messages by. */
export const collections: readonly Collection[] = [
  messages,
  numbers,
  optOuts,
  incomingMessages,
  accounts,
  creditMovements,
]

/** The name of a store. */
export type StoreKind = (typeof everyStoreKind)[number]

/** Opens an empty store of collections, the gateway's where none are named; it is gone when it is disposed of. */
export async function openStore(
  kind: StoreKind,
  kept: readonly Collection[] = collections,
): Promise<Store> {
  if (kind === 'memory') return memoryStore(kept)
  if (kind === 'postgres') return openPostgres(kept)
  const directory = await temporaryDirectory()
  const store = await sqliteStore(directory.file('nuncio.db'), kept, () => {}, flushAtOnce)
  return {
    ...store,
    async [Symbol.asyncDispose]() {
      await store[Symbol.asyncDispose]()
      await directory[Symbol.asyncDispose]()
    },
  }
}
