/** A carrier as far as the choice of a route needs it. */
export interface RoutedCarrier {
  readonly id: string
  readonly name: string | null
  readonly active: boolean
  readonly state: string
  readonly routes: readonly {
    readonly prefix: string
    readonly weight: number
    readonly priority: number
  }[]
}

/** A carrier of a prefix, with its share of the messages. */
export interface Share {
  readonly carrier: RoutedCarrier
  readonly priority: number
  /** From 0 to 1, of the messages while it is available. */
  readonly share: number
  /** It takes messages now: others of a higher number wait for its failure. */
  readonly isUsed: boolean
}

/** The carriers of a prefix, in the order in which they are used. */
export interface PrefixRoutes {
  readonly prefix: string
  readonly shares: readonly Share[]
}

/** Returns the carriers of each prefix, the shortest prefix first. */
export function routesByPrefix(carriers: readonly RoutedCarrier[]): readonly PrefixRoutes[] {
  const routes = carriers
    .filter(({ active }) => active)
    .flatMap((carrier) => carrier.routes.map((route) => ({ ...route, carrier })))
  return [...Map.groupBy(routes, ({ prefix }) => prefix)]
    .map(([prefix, same]) => {
      const usable = same.filter(({ carrier }) => carrier.state === 'BOUND')
      const first = Math.min(...usable.map(({ priority }) => priority))
      const shares = same
        .map(({ carrier, priority, weight }): Share => {
          const isUsed = priority === first && usable.some((one) => one.carrier === carrier)
          const peers = (isUsed ? usable : same).filter((one) => one.priority === priority)
          const total = peers.reduce((sum, one) => sum + one.weight, 0)
          return { carrier, priority, share: weight / total, isUsed }
        })
        .sort((one, other) => one.priority - other.priority || other.share - one.share)
      return { prefix, shares }
    })
    .sort((one, other) => (one.prefix < other.prefix ? -1 : 1))
}

/** Returns the routes of an address: those of its longest prefix; null if no prefix matches. */
export function routesOf(address: string, routes: readonly PrefixRoutes[]): PrefixRoutes | null {
  const digits = address.replaceAll(/[\s()-]/g, '')
  const matching = routes.filter(({ prefix }) => digits.startsWith(prefix))
  return matching.reduce<PrefixRoutes | null>(
    (best, one) => (best === null || one.prefix.length > best.prefix.length ? one : best),
    null,
  )
}
