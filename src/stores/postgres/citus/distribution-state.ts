import type { SqlConnection } from '../../sql/connection.ts'

/** State of the distribution of a store's tables over several servers. */
export type DistributionState = 'none' | 'unfinished' | 'complete'

/** Reads the state from the table `meta`, which must exist. */
export async function readDistribution(connection: SqlConnection): Promise<DistributionState> {
  const row = await connection.first("select value from meta where name = 'distribution'", [])
  if (row === undefined) return 'none'
  return row[0] === 'complete' ? 'complete' : 'unfinished'
}

/** Stores the state. No node starts on an unfinished distribution. */
export async function keepDistribution(
  connection: SqlConnection,
  state: Exclude<DistributionState, 'none'>,
): Promise<void> {
  await connection.run(
    `insert into meta (name, value) values ('distribution', ?)
      on conflict (name) do update set value = excluded.value`,
    [state],
  )
}

/** Problem and remedy for an unfinished distribution. */
export const unfinishedDistribution =
  'its distribution is not finished; run the same "nuncio distribute" again to finish it'
