import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { aMessage } from '../../../bench/rows.ts'
import { messages } from '../../../src/collections/messages.ts'
import { accountId } from '../../../src/core/account.ts'
import type { Store } from '../../../src/core/ports/store.ts'
import { standardOffer } from '../../../src/wiring/wire.ts'
import { testDatabase } from '../../support/postgres/database.ts'

/** The stores that are measured. */
export const storeKinds = ['sqlite', 'postgres'] as const

/** A kind of store. */
export type StoreKind = (typeof storeKinds)[number]

/** A store with the messages of an account, of which each measurement gets its own copy. */
export interface FilledStore extends AsyncDisposable {
  copy(): Promise<StoreCopy>
}

/** A copy, and a folder for the process that uses it. */
export interface StoreCopy extends AsyncDisposable {
  readonly url: string
  readonly folder: string
}

/** Fills a store with messages of an account. */
export async function filledStore(
  kind: StoreKind,
  account: string,
  rows: number,
): Promise<FilledStore> {
  const folder = mkdtempSync(join(tmpdir(), 'nuncio-abuse-'))
  const remove = (): void => rmSync(folder, { recursive: true })
  let copies = 0
  const newFolder = (): string => {
    copies += 1
    const own = join(folder, String(copies))
    mkdirSync(own)
    return own
  }
  const { collections } = standardOffer
  if (kind === 'sqlite') {
    const { sqliteStore } = await import('../../../src/stores/sqlite/sqlite-store.ts')
    const file = join(folder, 'filled.db')
    await fill(await sqliteStore(file, collections), account, rows)
    return {
      copy: async () => {
        const own = newFolder()
        copyFileSync(file, join(own, 'nuncio.db'))
        const end = async (): Promise<void> => rmSync(own, { recursive: true })
        return { url: `sqlite:${own}/nuncio.db`, folder: own, [Symbol.asyncDispose]: end }
      },
      [Symbol.asyncDispose]: async () => remove(),
    }
  }
  const { postgresStore } = await import('../../../src/stores/postgres/postgres-store.ts')
  const database = await testDatabase()
  await fill(await postgresStore(database.url, collections), account, rows)
  return {
    copy: async () => {
      const { url, [Symbol.asyncDispose]: end } = await testDatabase(database.name)
      return { url, folder: newFolder(), [Symbol.asyncDispose]: end }
    },
    [Symbol.asyncDispose]: async () => {
      await database[Symbol.asyncDispose]()
      remove()
    },
  }
}

async function fill(opened: Store, account: string, rows: number): Promise<void> {
  await using store = opened
  const owner = accountId(account)
  for (let index = 0; index < rows; index += 500) {
    await store.transact(async (transaction) => {
      for (let each = index; each < Math.min(index + 500, rows); each += 1) {
        const message = aMessage(each, rows)
        await transaction.in(owner).save(messages, { id: String(message['id']) }, message, null)
      }
    })
  }
}
