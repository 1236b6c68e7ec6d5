import { after } from 'node:test'
import { conforms } from '../../conformance/store.ts'
import { citusBinaries, startCluster } from './cluster.ts'
import { emptyStores } from './distributed-store.ts'

const found = citusBinaries()
const skip = typeof found === 'string' ? found : false
if (skip !== false) console.error(`NOT TESTED: ${skip}`)

const parts = new AsyncDisposableStack()
after(() => parts.disposeAsync())
const cluster = typeof found === 'string' ? { url: '' } : parts.use(await startCluster(found.bin))

conforms('PostgreSQL on Citus', emptyStores(cluster.url), {
  skip,
  crowd: 25,
  sideBySide: 'transactions run side by side here, and are run again where they meet',
})
