import type { Instant } from '../../core/ports/clock.ts'
import type { Transaction } from '../../core/ports/store.ts'
import type { TokenBucket } from './token-bucket.ts'

/** Rates by the name under which all nodes know them. */
export type NamedBuckets = ReadonlyMap<string, TokenBucket>

/**
 * Fills buckets up to what all nodes have left in them. Until the transaction is over other nodes that
 * ask for the same wait: together they take no more than there is.
 */
export async function readShared(
  { buckets }: Transaction,
  named: NamedBuckets,
  now: Instant,
): Promise<void> {
  // In one order, so that two who ask for the same never wait for each other.
  for (const [name, bucket] of [...named].toSorted(byName)) {
    const level = await buckets.level(name)
    if (level !== null) bucket.become(level, now)
  }
}

/** Writes down for all nodes what is left. */
export async function writeShared(
  { buckets }: Transaction,
  named: NamedBuckets,
  now: Instant,
): Promise<void> {
  for (const [name, bucket] of named) await buckets.put(name, bucket.level(now))
}

function byName([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1
}
