import { describe, it } from 'node:test'
import {
  checkNothingSkipped,
  checkOrderUnderLoad,
  checkOrderWithinTransaction,
} from './log-order.ts'
import { sampleCollections } from './sample-collections.ts'
import type { OpenStore } from './store.ts'

/** The log of each account has the order of the changes, however many accounts write. */
export function ordersTheLog(open: OpenStore): void {
  describe('the notification log of four accounts', () => {
    it('has the notifications of a transaction in the order of the calls', async () => {
      await using store = await open(sampleCollections)
      await checkOrderWithinTransaction(store)
    })

    it('has the notifications of a message in the order of its changes', async () => {
      await using store = await open(sampleCollections)
      await checkOrderUnderLoad(store)
    })

    it('shows every entry to a reader that goes from position to position', async () => {
      await using store = await open(sampleCollections)
      await checkNothingSkipped(store)
    })
  })
}
