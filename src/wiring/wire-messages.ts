import { isCarrier } from '../collections/carriers.ts'
import { usageEstimate } from '../core/account-limits.ts'
import type { Metrics } from '../core/ports/metrics.ts'
import type { Config } from '../config/config.ts'
import type { NodeMembers } from '../core/ports/nodes.ts'
import { broadcasting, measureBroadcasts } from '../gateway/broadcasts/broadcast-loop.ts'
import { sliceEvents } from '../gateway/broadcasts/failed-slice.ts'
import type { CarrierRegistry } from '../gateway/carriers/carrier-registry.ts'
import type { ContentDefaults } from '../gateway/messages/content.ts'
import { gateway, type Gateway } from '../gateway/gateway.ts'
import { ledgers } from '../gateway/credits/ledgers.ts'
import { routing, type Routing } from '../gateway/carriers/routing.ts'
import { measureQueues } from '../gateway/submission/backlogs.ts'
import { configuredLimits } from './wire-access.ts'
import type { Dependencies } from './dependencies.ts'
import type { WiredCarriers } from './wire-carriers.ts'
import { costs } from '../gateway/credits/credits.ts'

/** The routing, and defaults for messages that select no route. */
export interface RoutingDefaults {
  readonly routing: Routing
  readonly defaults: ContentDefaults
}

/** Connects the routing of messages. */
export function wireRouting(
  config: Config,
  dependencies: Dependencies,
  carriers: CarrierRegistry,
  nodes: () => number,
): RoutingDefaults {
  const { defaultSender, senders, nationalLanguages } = config
  const chosen = routing({ ...dependencies, carriers })
  const { routeOf, schemeOf } = chosen
  const costOf = costs(dependencies.store)
  const waiting = usageEstimate('submissions', 'waitingMessages', dependencies, nodes)
  const defaults = {
    defaultSender,
    senders,
    nationalLanguages,
    routeOf,
    schemeOf,
    isCarrier,
    costOf,
    waiting,
    limits: configuredLimits(config),
  }
  return { routing: chosen, defaults }
}

/** Connects the gateway: messages, broadcasts and ledgers. */
export function wireMessages(
  config: Config,
  dependencies: Dependencies & { readonly members: NodeMembers },
  { registry: carriers, counts }: Pick<WiredCarriers, 'registry' | 'counts'>,
  { routing, defaults }: RoutingDefaults,
  registry: Metrics,
): Gateway {
  const ownWords = { stop: config.optOutWords, start: config.optInWords }
  measureQueues(registry, dependencies.store, dependencies.clock, () => carriers.open())
  measureBroadcasts(registry, dependencies.store)
  const sending = gateway({
    ...dependencies,
    carriers,
    routing,
    ownWords,
    counts,
    pricing: defaults,
    registry,
  })
  const making = broadcasting({
    ...dependencies,
    defaults,
    events: sliceEvents(dependencies.log, registry),
  })
  const folding = ledgers(dependencies)
  return {
    report: sending.report,
    start: async () => {
      await sending.start()
      making.start()
      folding.start()
    },
    async [Symbol.asyncDispose]() {
      await folding[Symbol.asyncDispose]()
      await making[Symbol.asyncDispose]()
      await sending[Symbol.asyncDispose]()
    },
  }
}
