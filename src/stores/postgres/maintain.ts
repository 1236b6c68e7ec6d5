import type { Clock, Instant } from '../../core/ports/clock.ts'
import type { Log } from '../../core/ports/log.ts'
import type { Store } from '../../core/ports/store.ts'
import type { Row, SqlConnection } from '../sql/connection.ts'
import type { Completion } from '../sql/declarations/completion.ts'
import type { Dialect } from '../sql/dialect.ts'
import { forgetDeadLetters } from '../sql/log/notification-log.ts'
import { receiptTrims } from '../sql/queues/receipts.ts'
import { numberIn, textIn } from '../sql/rows/row.ts'
import type { Slice } from '../sql/tables/slice.ts'
import type { CellLayout } from './citus/layout.ts'
import type { Address } from './connection/address.ts'
import { asFault } from './connection/fault.ts'
import { connectTo } from './connection/servers.ts'
import type { Transactions } from './connection/transactions.ts'
import { keepHead } from './log/append-log.ts'
import { partedCollection, partedLog, type PartedTable, renewParts } from './schema/partitions.ts'
import { setUp } from './schema/set-up.ts'
import { isPartitioned } from './schema/table-definitions.ts'

/** Dependencies of maintenance. */
export interface MaintenanceParts {
  readonly loops: Transactions
  readonly address: Address
  readonly rest: Completion
  readonly layout: () => CellLayout
  readonly dialect: Dialect
  readonly clock: Clock
  readonly log: Log
}

/** Drops days, makes those to come, and removes old rows that are in the part of no day. */
export function maintenance(parts: MaintenanceParts): Store['maintain'] {
  const { loops, layout, dialect } = parts
  return async (before, limit, logBefore = before) => {
    const failures: unknown[] = []
    // A server that is unavailable must not keep rows of the others.
    const attempt = async <T>(work: () => Promise<T>): Promise<T | null> => {
      try {
        return await work()
      } catch (error) {
        failures.push(asFault(error))
        return null
      }
    }
    const arePassed = (await attempt(() => renewDays(parts, before, logBefore))) ?? false
    // Each transaction covers one slice.
    const slices = layout().slicesOf(undefined)
    const trims = [
      ...slices.map(
        (slice) => (connection: SqlConnection) => trimRest(connection, slice, logBefore, limit),
      ),
      ...receiptTrims({ slices, dialect }).map(
        (trim) => (connection: SqlConnection) => connection.run(trim, [before, limit]),
      ),
    ]
    let isMore = false
    for (const trim of trims) {
      if ((await attempt(() => loops.write(trim))) === limit) isMore = true
    }
    return { isMore, arePassed, failure: failures[0] ?? null }
  }
}

/** Returns true if no old instance of a passing collection is left. */
function renewDays(
  { address: { direct, directServers }, rest, clock, log }: MaintenanceParts,
  before: Instant,
  logBefore: Instant,
): Promise<boolean> {
  const passing = rest.tables.tables.filter(isPartitioned)
  return connectTo(direct, directServers).then((config) =>
    setUp(config, async (connection) => {
      const renew = (parted: PartedTable, until: Instant): Promise<boolean> =>
        renewParts({ connection, log }, parted, until, clock.now())
      await renew(partedLog, logBefore)
      let arePassed = true
      for (const { collection } of passing) {
        arePassed = (await renew(partedCollection(collection), before)) && arePassed
      }
      return arePassed
    }),
  )
}

/** Deletes entries that are in the part of no day. */
async function trimRest(
  connection: SqlConnection,
  slice: Slice,
  before: Instant,
  limit: number,
): Promise<number> {
  await connection.run(forgetDeadLetters(slice), [before])
  const removed = await connection.all(oldest(slice), [before, limit])
  if (removed.length === 0) return 0
  // In the order of all locks on heads.
  for (const [cell, account, position] of removed.toSorted(byAccount)) {
    await connection.run(keepHead, [numberIn(cell), textIn(account), numberIn(position)])
  }
  return connection.run(remove(slice), [before, limit])
}

function byAccount([cell, account]: Row, [otherCell, other]: Row): number {
  return numberIn(cell) - numberIn(otherCell) || (textIn(account) < textIn(other) ? -1 : 1)
}

const remove = (slice: Slice): string => `
  delete from ${partedLog.rest} where ${slice.holds()} and (cell, account, position) in (
    select cell, account, position from (${entries(slice)}) as oldest)`

const oldest = (slice: Slice): string => `
  select cell, account, max(position) from (${entries(slice)}) as entries group by cell, account`

const entries = (slice: Slice): string => `
  select cell, account, position from ${partedLog.rest} where ${slice.holds()} and at < ?
  order by at, cell, account, position limit ?`
