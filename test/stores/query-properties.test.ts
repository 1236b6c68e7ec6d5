import { sqliteStore } from '../../src/stores/sqlite/sqlite-store.ts'
import { answersAsTheModel } from '../conformance/model-answers.ts'
import { sampleCollections } from '../conformance/sample-collections.ts'
import { trials } from '../support/trials.ts'
import { temporaryDirectory } from './temporary-directory.ts'

const asked = { worlds: trials(10), questionsEach: 1000, walksEach: 60, wordsEach: 100, atOnce: 1 }

answersAsTheModel(
  'SQLite',
  async () => {
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
  asked,
)
