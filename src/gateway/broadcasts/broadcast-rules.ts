import type { Rules } from '../../core/declaration/rules.ts'
import type { Broadcast } from '../../collections/broadcasts.ts'
import type { ContentDefaults } from '../messages/content.ts'
import { broadcastFaults } from './broadcast-faults.ts'
import { changeBroadcast } from './change-broadcast.ts'
import { createBroadcast } from './create-broadcast.ts'
import { hiddenOf } from './job.ts'
import { liveCounts } from './live-counts.ts'
import { askedState, stateFaults, takeStep } from './take-step.ts'
import { endWork } from './work.ts'

/** Stand for fields that are at fault already, and have no fault of their own. */
const standIns = {
  from: null,
  to: { addresses: ['000'], contacts: [], group: null },
  body: '-',
  encoding: null,
  scheduledAt: null,
  validUntil: null,
  maxParts: 255,
  carrier: null,
} as const

/**
 * The rules of broadcasts. What is asked for is only put on record: a loop makes the messages. Until it
 * begins a broadcast can be changed; after that it can be paused and cancelled.
 */
export function broadcastRules(defaults: ContentDefaults): Rules {
  return {
    faults: async (change, context) => {
      const { encoding } = change.after
      const body = encoding === undefined ? { body: standIns.body } : {}
      const wanted = { ...standIns, ...change.after, ...body } as unknown as Broadcast
      const before = change.before as Broadcast | null
      return [
        ...(await broadcastFaults(wanted, before, context, defaults)),
        ...(before === null ? [] : stateFaults(change, before)),
      ]
    },
    write: async (change, context) => {
      if (change.before === null) return createBroadcast(change, context, defaults)
      const before = change.before as Broadcast
      const asked = askedState(change, before)
      return asked === null
        ? changeBroadcast(change, before, context, defaults)
        : takeStep(asked, change, before, context)
    },
    remove: async (before, { writer, transaction }) => {
      await endWork(transaction, { account: writer.account, broadcast: before.id })
      await writer.endCounter(hiddenOf(before).tally)
    },
    live: liveCounts,
  }
}
