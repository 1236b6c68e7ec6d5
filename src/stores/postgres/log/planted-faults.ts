import type { SqlConnection } from '../../sql/connection.ts'
import type { Notified } from '../../sql/log/notification-log.ts'
import { numberIn } from '../../sql/rows/row.ts'

/** Faults that a test plants, to show that the conformance suite catches them. */
export interface PlantedFaults {
  /** Appends the entries of a transaction in another order than they were given. */
  readonly reversesAppends?: boolean
  /** Hides the log while any transaction of the server has written something and is open. */
  readonly waitsForOpenTransactions?: boolean
}

/** Returns the entries in the order in which they are appended. */
export function appendOrder(
  { reversesAppends = false }: PlantedFaults,
  notified: readonly Notified[],
): readonly Notified[] {
  return reversesAppends ? notified.toReversed() : notified
}

/** Returns true if a planted fault hides the log now. */
export async function isHidden(
  { waitsForOpenTransactions = false }: PlantedFaults,
  connection: SqlConnection,
): Promise<boolean> {
  if (!waitsForOpenTransactions) return false
  const row = await connection.first(writing, [])
  return numberIn(row?.[0] ?? 0) > 0
}

const writing = `
  select count(*) from pg_stat_activity where backend_xid is not null and pid <> pg_backend_pid()`
