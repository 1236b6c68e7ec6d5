import { PassedOn, type Changed } from './passed-on.ts'
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
    store: changing({ receipts: (receipts) => ({ ...receipts, keep: async () => {} }) }),
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
    store: changing({ in: (writer) => ({ ...writer, keepAnswer: async () => {} }) }),
    foundWithin: 40,
  }),
  () => ({
    name: 'forgets that a message may be at its carrier already',
    store: changing({
      submissions: (submissions) => ({
        ...submissions,
        claim: async (...asked) => {
          const claimed = await submissions.claim(...asked)
          return claimed.map((each) => ({ ...each, uncertain: false }))
        },
      }),
    }),
    foundWithin: 40,
  }),
]

function changing(changed: Changed): StorePlant {
  return { transaction: (given) => new PassedOn(given, changed) }
}

/** Whoever once had a lease writes as if it were its own still. */
function unfenced(): StorePlant {
  const fences = new Map<string, number>()
  return changing({
    consumers: (consumers) => ({
      ...consumers,
      lease: async (...asked) => {
        const leased = await consumers.lease(...asked)
        for (const { webhookId, fence } of leased) fences.set(webhookId, fence)
        return leased
      },
      advance: (consumer) => {
        const fence = fences.get(consumer.webhookId) ?? consumer.fence
        return consumers.advance({ ...consumer, fence })
      },
    }),
  })
}
