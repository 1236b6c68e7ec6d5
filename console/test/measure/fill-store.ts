import { mkdir, rename } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { aMessage } from '../../../bench/rows.ts'
import { messages } from '../../../src/collections/messages.ts'
import { defaultAccount } from '../../../src/core/account.ts'
import { sqliteStore } from '../../../src/stores/sqlite/sqlite-store.ts'

/** Messages of one transaction. */
const batch = 2000

/** Puts messages into the store of a folder, as a service would have left them. A filled store is kept. */
export async function fillStore(folder: string, rows: number): Promise<void> {
  await mkdir(folder, { recursive: true })
  const file = join(folder, 'nuncio.db')
  if (existsSync(file)) return
  const unfinished = `${file}.unfinished`
  {
    await using store = await sqliteStore(unfinished, [messages])
    for (let index = 0; index < rows; index += batch) {
      await store.transact(async (transaction) => {
        const account = transaction.in(defaultAccount)
        for (let each = index; each < Math.min(index + batch, rows); each += 1) {
          const message = aMessage(each, rows)
          await account.save(messages, { id: String(message['id']) }, message, null)
        }
      })
    }
  }
  await rename(unfinished, file)
}
