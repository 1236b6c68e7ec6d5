import type { Clock } from '../../../core/ports/clock.ts'
import type { Log } from '../../../core/ports/log.ts'
import type { PoolUse } from '../../../core/ports/store-health.ts'
import type { Random } from '../../../core/ports/random.ts'
import type { CellLayout } from '../citus/layout.ts'
import type { PlantedFaults } from '../log/planted-faults.ts'
import type { Address } from './address.ts'
import { byIndex } from './connection.ts'
import { lending } from './pool.ts'
import { statements } from './statements.ts'
import { transactions, type TransactionParts, type Transactions } from './transactions.ts'
import { watch } from '../commits/watch.ts'

/** Connections apart: who has one may need one of a later kind, and never the other way round. */
export interface ConnectionPools {
  readonly writes: Transactions
  readonly reads: Transactions
  /** For the log: event streams and polls, which may be many, must not keep a request from its key. */
  readonly loops: Transactions
  /** For expensive reads, which may keep all of its connections busy. */
  readonly queries: Transactions
  readonly queriesMax: number
  use(): readonly PoolUse[]
  close(): Promise<void>
}

/** Settings of all connections but those for expensive reads. */
const byIndexOptions = byIndex.map((name) => `-c ${name}=off`).join(' ')

/** Dependencies of the pools. */
interface PoolParts {
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  readonly faults: PlantedFaults
  readonly layout: CellLayout
}

/** Creates the pools of a node. `committed` is called after every commit. */
export function lanesOf(
  address: Address,
  parts: PoolParts,
  committed: TransactionParts['committed'],
): ConnectionPools {
  const { connectionsMax, servers } = address
  const { clock, log } = parts
  const loops = Math.max(Math.floor(connectionsMax / 5), 1)
  const reads = Math.max(Math.floor((connectionsMax * 2) / 10), 1)
  // With three connections expensive reads share that of the other reads.
  const queries = connectionsMax === 3 ? 0 : Math.max(Math.floor(connectionsMax / 10), 1)
  const watched = watch(() => ({ ...address.client, connectionString: servers.current() }), clock)
  const { isDistributed, sliceNameOf } = parts.layout
  const known = statements(address.isPrepared, isDistributed ? sliceNameOf : null)
  const config = address.isPooled ? address.client : { ...address.client, options: byIndexOptions }
  const shared = { config, servers, watch: watched, clock, log }
  const pools = [
    lending({
      ...shared,
      name: 'writes',
      max: connectionsMax - loops - reads - queries,
    }),
    lending({ ...shared, name: 'reads', max: reads }),
    lending({ ...shared, name: 'loops', max: loops }),
    lending({ ...shared, config: address.client, name: 'queries', max: queries }),
  ]
  const lane = (at: number): Transactions => {
    const pool = pools[at]
    if (pool === undefined) throw new Error('there is no such lane')
    return transactions({
      lending: pool,
      statements: known,
      ...parts,
      isDistributed,
      isPooled: address.isPooled,
      committed,
    })
  }
  return {
    writes: lane(0),
    reads: lane(1),
    loops: lane(2),
    queries: lane(queries === 0 ? 1 : 3),
    queriesMax: Math.max(queries, 1),
    use: () => pools.map((pool) => pool.use()).filter(({ max }) => max > 0),
    close: async () => {
      await Promise.all(pools.map((pool) => pool.close()))
    },
  }
}
