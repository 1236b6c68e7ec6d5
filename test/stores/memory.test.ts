import { memoryStore } from '../oracle/memory-store.ts'
import { conforms } from '../conformance/store.ts'

conforms('memory', async (collections) => memoryStore(collections))
