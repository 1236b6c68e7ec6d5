import { isCarrier } from './collections/carriers.ts'
import type { Config } from './config/config.ts'
import { broadcasting } from './gateway/broadcasts/broadcasting.ts'
import type { CarrierRegistry } from './gateway/carrier-registry.ts'
import type { ContentDefaults } from './gateway/content.ts'
import { costs } from './gateway/cost.ts'
import { gateway, type Gateway } from './gateway/gateway.ts'
import type { OwnWords } from './gateway/keyword.ts'
import { routing, type Routing } from './gateway/routing.ts'
import type { Ground } from './ground.ts'
import type { JoinedCarriers } from './join-carriers.ts'

/** Which way messages go, and what those have that leave it open. */
export function waysOf(
  { defaultSender, nationalLanguages }: Config,
  ground: Ground,
  carriers: CarrierRegistry,
): { readonly ways: Routing; readonly defaults: ContentDefaults } {
  const ways = routing({ ...ground, carriers })
  const { routeOf } = ways
  const costOf = costs(ground.store)
  return { ways, defaults: { defaultSender, nationalLanguages, routeOf, isCarrier, costOf } }
}

/** Messages on their way, those of broadcasts included, as the operator wants them treated. */
export function messagingOf(
  config: Config,
  ground: Ground,
  { registry: carriers, counts }: Pick<JoinedCarriers, 'registry' | 'counts'>,
  ways: Routing,
  defaults: ContentDefaults,
): Gateway {
  const ownWords = ownWordsOf(config)
  const sending = gateway({ ...ground, carriers, routing: ways, ownWords, counts })
  const making = broadcasting({ ...ground, defaults })
  return {
    report: sending.report,
    start: async () => {
      await sending.start()
      making.start()
    },
    async [Symbol.asyncDispose]() {
      await making[Symbol.asyncDispose]()
      await sending[Symbol.asyncDispose]()
    },
  }
}

function ownWordsOf({ optOutWords: stop, optInWords: start }: Config): OwnWords {
  return { stop, start }
}
