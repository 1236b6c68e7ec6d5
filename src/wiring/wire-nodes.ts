import type { Config } from '../config/config.ts'
import type { Metrics } from '../core/ports/metrics.ts'
import { alone } from '../core/ports/nodes.ts'
import { membership, type Membership } from '../nodes/membership.ts'
import type { Dependencies } from './dependencies.ts'

/** Registers this node among those of a shared store. A node with its own store is alone. */
export function wireNodes(
  { roles }: Pick<Config, 'roles'>,
  { store, clock, newId, log }: Dependencies,
  told: () => string,
  registry: Metrics,
): Membership {
  const self = newId('node')
  const nodes = store.isShared
    ? membership({ store, clock, log, self, roles, told })
    : { ...alone(self), ...unshared }
  registry.gauge(
    'nuncio_clock_ahead_seconds',
    'Time that the clock of this node is ahead of the clock of the database.',
    () => [{ labels: {}, value: nodes.clockAheadMs() / 1000 }],
  )
  return nodes
}

const unshared = {
  start: async () => {},
  clockAheadMs: () => 0,
  [Symbol.asyncDispose]: async () => {},
}
