import { sqliteStore } from '../../src/stores/sqlite/sqlite-store.ts'
import { keepsAsTheModel } from '../conformance/model-writes.ts'
import { sampleCollections } from '../conformance/sample-collections.ts'
import { trials } from '../support/trials.ts'
import { temporaryDirectory } from './temporary-directory.ts'

keepsAsTheModel('SQLite', {
  runs: trials(100),
  open: async () => {
    const directory = await temporaryDirectory()
    const file = directory.file('nuncio.db')
    const store = await sqliteStore(file, sampleCollections)
    return {
      ...store,
      async [Symbol.asyncDispose]() {
        await store[Symbol.asyncDispose]()
        await directory[Symbol.asyncDispose]()
      },
    }
  },
})
