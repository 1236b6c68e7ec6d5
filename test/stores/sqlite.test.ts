import { sqliteStore } from '../../src/stores/sqlite/sqlite-store.ts'
import { conforms } from '../conformance/store.ts'
import { temporaryDirectory } from './temporary-directory.ts'

conforms('SQLite', async (collections) => {
  const directory = await temporaryDirectory()
  const store = await sqliteStore(directory.file('nuncio.db'), collections)
  return {
    ...store,
    async [Symbol.asyncDispose]() {
      await store[Symbol.asyncDispose]()
      await directory[Symbol.asyncDispose]()
    },
  }
})
