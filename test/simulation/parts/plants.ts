import { type Collection, qualifiedName } from '../../../src/core/declaration/collection.ts'
import { idempotentResponses } from '../../../src/core/declaration/idempotent-responses.ts'
import type { LogPosition } from '../../../src/core/ports/notification-log.ts'
import { firstCursor } from '../../../src/gateway/broadcasts/recipient-page.ts'
import { isAgain } from './is-again.ts'
import { PassedOn, type Changed } from './passed-on.ts'
import type { StorePlant } from './store-view.ts'

/** A fault that is put in on purpose, to see whether the simulation finds it. */
export interface Plant {
  /** What is wrong, as the end of "a service that …". */
  readonly name: string
  readonly store?: StorePlant
  /** Whether a request counts as acknowledged when it is sent, by the identifier of its batch. */
  readonly acknowledgesUnheard?: (batchId: string) => boolean
  /** The first seed of the search; 1 if absent. */
  readonly from?: number
  /** The simulation finds it in so many schedules at the latest. */
  readonly foundWithin: number
}

/** The faults, each of which was made by somebody before. They lie in the ports, not in the service. */
export const plants: readonly (() => Plant)[] = [
  () => ({
    name: 'moves the cursor before the 2xx',
    acknowledgesUnheard: (batchId) => !isAgain(batchId),
    foundWithin: 40,
  }),
  () => ({
    name: 'drops a receipt that comes early',
    store: changing({
      receipts: (receipts) => ({
        ...receipts,
        expect: async (part, expiresAt) => {
          await receipts.expect(part, expiresAt)
          return []
        },
      }),
    }),
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
    store: forgetting(idempotentResponses),
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
  () => ({
    name: 'takes for told what it only sends again',
    acknowledgesUnheard: isAgain,
    foundWithin: 40,
  }),
  () => ({
    name: 'moves the cursor with what it sends again',
    store: changing({
      consumers: (consumers) => ({
        ...consumers,
        advance: ({ position, ...consumer }) =>
          consumers.advance({ ...consumer, position: movedOn(position, consumer.progress) }),
      }),
    }),
    foundWithin: 60,
  }),
  () => ({
    name: 'calls nothing back that is deleted while it waits at its carrier',
    store: changing({ recall: () => {} }),
    // Only one schedule in 85 deletes a message at that moment: the search begins near three.
    from: 270,
    foundWithin: 60,
  }),
  () => ({ name: 'forgets how far a broadcast is', store: forgetful(), foundWithin: 60 }),
  () => ({
    name: 'does not count what a broadcast makes',
    store: changing({ in: (writer) => ({ ...writer, addToCounter: async () => null }) }),
    foundWithin: 60,
  }),
]

function changing(changed: Changed): StorePlant {
  return { transaction: (given) => new PassedOn(given, changed) }
}

/** Saves nothing of a collection. */
function forgetting({ name }: Collection): StorePlant {
  return changing({
    in: (writer) => ({
      ...writer,
      save: (collection, key, instance, hidden) => {
        if (collection.name !== name) return writer.save(collection, key, instance, hidden)
        const doc = JSON.stringify(instance)
        return {
          account: writer.account,
          parent: null,
          id: key.id,
          doc,
          hidden: null,
          revision: '',
        }
      },
    }),
  })
}

/** Whoever once had a lease writes as if it were its own still. */
function unfenced(): StorePlant {
  const fences = new Map<string, number>()
  return changing({
    consumers: (consumers) => ({
      ...consumers,
      hold: async (wish) => {
        const held = await consumers.hold(wish)
        for (const { webhookId, fencingToken } of held.leased) fences.set(webhookId, fencingToken)
        return held
      },
      advance: (consumer) => {
        const fence = fences.get(consumer.webhookId) ?? consumer.fencingToken
        return consumers.advance({ ...consumer, fencingToken: fence })
      },
    }),
  })
}

function movedOn(position: LogPosition, progress: string): LogPosition {
  if (!progress.includes('"replays":[{')) return position
  return String(Number(position) + 1) as LogPosition
}

/** What is written of each broadcast first does not last: neither its place nor who has a message. */
function forgetful(): StorePlant {
  const forgotten = new Set<string>()
  return changing({
    in: (writer) => ({
      ...writer,
      save: async (collection, key, instance, hidden) => {
        const name = qualifiedName(collection)
        if (name === 'broadcasts/messages') {
          const stored = await writer.save(collection, key, instance, hidden)
          await writer.remove(collection, key)
          return stored
        }
        const isFirst = name === 'broadcasts' && hidden !== null && !forgotten.has(key.id)
        if (!isFirst || instance['startedAt'] === null) {
          return writer.save(collection, key, instance, hidden)
        }
        forgotten.add(key.id)
        return writer.save(collection, key, instance, { ...hidden, place: { ...firstCursor } })
      },
    }),
  })
}
