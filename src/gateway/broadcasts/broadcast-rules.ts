import type { Rules } from '../../core/declaration/rules.ts'
import type { Broadcast } from '../../collections/broadcasts.ts'
import type { ContentDefaults } from '../messages/content.ts'
import { broadcastFaults } from './broadcast-faults.ts'
import {
  changeBroadcast,
  changeState,
  createBroadcast,
  requestedState,
  stateFaults,
} from './change-broadcast.ts'
import { hiddenOf } from './job.ts'
import { endWork } from './work.ts'
import type { JsonObject } from '../../core/json.ts'
import type { Reader, Stored } from '../../core/ports/store.ts'
import { sentStatuses } from '../../collections/messages.ts'

/** Replacements for faulty fields, so that these add no further faults. */
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
 * Creates the rules of broadcasts. A request only stores the broadcast: a loop creates the
 * messages. Until it begins, a broadcast can be changed; after that it can be paused and cancelled.
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
      const asked = requestedState(change, before)
      return asked === null
        ? changeBroadcast(change, before, context, defaults)
        : changeState(asked, change, before, context)
    },
    remove: async (before, { writer, transaction }) => {
      await endWork(transaction, { account: writer.account, broadcast: before.id })
      await writer.setCounters(hiddenOf(before).tally, [])
    },
    live: liveCounts,
  }
}

/** Counts the messages of each broadcast by status. Each account takes one query. */
export async function liveCounts(
  instances: readonly Stored[],
  reader: Reader,
): Promise<readonly JsonObject[]> {
  const tallies = new Map<string, Readonly<Record<string, number>>>()
  for (const [account, ofAccount] of Map.groupBy(instances, (each) => each.account)) {
    const subjects = ofAccount.map((each) => hiddenOf(each).tally)
    for (const [subject, counts] of await reader.findCounters(account, subjects)) {
      tallies.set(subject, counts)
    }
  }
  return instances.map((each) => {
    const counts = tallies.get(hiddenOf(each).tally) ?? {}
    const shown = sentStatuses.map((status) => [status.toLowerCase(), counts[status] ?? 0])
    return { messageCounts: Object.fromEntries(shown) }
  })
}
