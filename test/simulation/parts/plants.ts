import type { Transaction } from '../../../src/core/store.ts'
import type { StorePlant } from './store-view.ts'

/** A fault that is put in on purpose, to see whether the simulation finds it. */
export interface Plant {
  /** What is wrong, as the end of "a service that …". */
  readonly name: string
  readonly store?: StorePlant
  /** A request counts as acknowledged when it is sent. */
  readonly acknowledgesUnheard?: boolean
  /** The simulation finds it in so many schedules at the latest. */
  readonly foundWithin: number
}

/** The faults, each of which was made by somebody before. They lie in the ports, not in the service. */
export const plants: readonly (() => Plant)[] = [
  () => ({
    name: 'moves the cursor before the 2xx',
    acknowledgesUnheard: true,
    foundWithin: 40,
  }),
  () => ({
    name: 'drops a receipt that comes early',
    store: inTransaction((transaction) => ({
      ...transaction,
      receipts: { ...transaction.receipts, keep: async () => {} },
    })),
    foundWithin: 40,
  }),
  () => ({
    name: 'acknowledges before the commit',
    store: { answersEarly: true },
    foundWithin: 40,
  }),
  () => ({
    name: 'does not check that its lease still holds',
    store: unfenced(),
    foundWithin: 60,
  }),
  () => ({
    name: 'keeps no answer under an idempotency key',
    store: inTransaction((transaction) => ({
      ...transaction,
      in: (account) => ({ ...transaction.in(account), keepAnswer: async () => {} }),
    })),
    foundWithin: 40,
  }),
  () => ({
    name: 'forgets that a message may be at its carrier already',
    store: inTransaction((transaction) => ({
      ...transaction,
      submissions: {
        ...transaction.submissions,
        claim: async (...asked) => {
          const claimed = await transaction.submissions.claim(...asked)
          return claimed.map((each) => ({ ...each, uncertain: false }))
        },
      },
    })),
    foundWithin: 40,
  }),
]

function inTransaction(transaction: (given: Transaction) => Transaction): StorePlant {
  return { transaction }
}

/** Whoever once had a lease writes as if it were its own still. */
function unfenced(): StorePlant {
  const fences = new Map<string, number>()
  return inTransaction((transaction) => ({
    ...transaction,
    consumers: {
      ...transaction.consumers,
      lease: async (...asked) => {
        const leased = await transaction.consumers.lease(...asked)
        for (const { webhookId, fence } of leased) fences.set(webhookId, fence)
        return leased
      },
      advance: (consumer) => {
        const fence = fences.get(consumer.webhookId) ?? consumer.fence
        return transaction.consumers.advance({ ...consumer, fence })
      },
    },
  }))
}
