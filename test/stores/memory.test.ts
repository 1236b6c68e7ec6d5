import { memoryStore } from '../../src/stores/memory/memory-store.ts'
import { conforms } from '../conformance/store.ts'

conforms('memory', async (collections) => memoryStore(collections))
