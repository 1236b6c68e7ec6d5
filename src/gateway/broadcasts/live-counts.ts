import type { JsonObject } from '../../core/json.ts'
import type { Reader, Stored } from '../../core/ports/store.ts'
import { sentStatuses } from '../../collections/messages.ts'
import { hiddenOf } from './job.ts'

/** How many messages of each broadcast have which status, by one look into the store for each account. */
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
