import type { DistributeStore } from '../cli/process-context.ts'
import { systemClock } from '../core/ports/clock.ts'

/** Distributes a store, unless `isLook` only asks for a report; returns the report of the distribution. */
export const distributeStore: DistributeStore = async ({ url, shards, isLook }, report, log) => {
  const { postgresSource, postgresLook } = await import('../stores/postgres/schema/postgres-end.ts')
  const { distribute, distributionOf } = await import('../stores/postgres/citus/distribute.ts')
  const parts = { clock: systemClock, log }
  await using end = await (isLook ? postgresLook(url, parts) : postgresSource(url, parts))
  if (!isLook) await distribute({ end, shards, report })
  return await distributionOf(end)
}
