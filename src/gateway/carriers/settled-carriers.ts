import { defaultAccount } from '../../core/account.ts'
import type { CarrierCondition, CarrierType } from '../../core/ports/carrier.ts'
import type { JsonObject } from '../../core/json.ts'
import { where, type Store, type Stored } from '../../core/ports/store.ts'
import { carriers, type CarrierInstance, type HiddenCarrier } from '../../collections/carriers.ts'
import type { CarrierLimits, OpenCarrier } from './carriers.ts'

/** More carriers than this are not opened. */
const carriersMax = 1000

/** A carrier that is about to be opened. */
const stopped: CarrierCondition = {
  state: 'STOPPED',
  stateReason: 'It is not open yet.',
  since: 0,
  inFlight: 0,
  partsPerSecond: 0,
  lastError: null,
}

/** A carrier with all of its settings. */
export interface Settled {
  readonly instance: CarrierInstance
  readonly settings: JsonObject
}

/** The carriers that are to be open somewhere. */
export async function activeCarriers(store: Store): Promise<readonly Settled[]> {
  const found = await store.read(defaultAccount, (reader) =>
    reader.list(carriers, null, where([], carriersMax)),
  )
  return found.map(readCarrier).filter(({ instance }) => instance.active)
}

/** Reads a carrier as it is stored, its secrets among its settings. */
export function readCarrier({ doc, hidden }: Pick<Stored, 'doc' | 'hidden'>): Settled {
  const instance: CarrierInstance = JSON.parse(doc)
  const { secrets = {} }: HiddenCarrier = JSON.parse(hidden ?? '{}')
  return { instance, settings: { ...instance.settings, ...secrets } }
}

/** A carrier as it is shown to whoever looks for a way; `own` is what this node has of it. */
export function shownOf(
  { instance, settings }: Settled,
  own: Settled | null,
  condition: () => CarrierCondition | null,
): OpenCarrier {
  const { id, routes, downLimitMs } = instance
  return {
    id,
    routes,
    downLimitMs,
    limits: { ...limitsOf(settings), ...(own === null ? nothing : inFlightOf(own)) },
    condition: () => condition() ?? stopped,
  }
}

/** What a node hands over that has none of a carrier's binds. */
const nothing = { inFlight: 0 }

/** The rate is that of all nodes together, what is in flight that of this one. */
function inFlightOf({ settings }: Settled): Pick<CarrierLimits, 'inFlight'> {
  return { inFlight: limitsOf(settings).inFlight }
}

/** How many binds each carrier may have, of those whose type has binds. */
export function bindLimits(
  types: readonly CarrierType[],
  wanted: readonly Settled[],
): ReadonlyMap<string, number> {
  const found = wanted.flatMap(({ instance, settings: { binds } }): [string, number][] => {
    const type = types.find((each) => each.type === instance.type)
    const has = type?.settings['binds'] !== undefined && typeof binds === 'number'
    return has ? [[instance.id, binds]] : []
  })
  return new Map(found)
}

/** A carrier with this node's share of its binds, and of the rate that goes with them; null without any. */
export function sharedOut(
  { instance, settings }: Settled,
  held: number,
  limit: number,
): Settled | null {
  if (held === 0) return null
  const { partsPerSecond } = settings
  const rate = typeof partsPerSecond === 'number' ? partsPerSecond * (held / limit) : null
  return {
    instance,
    settings: { ...settings, binds: held, ...(rate === null ? {} : { partsPerSecond: rate }) },
  }
}

/** The most messages with a carrier at once whose type knows no window. */
const inFlightMax = 1000

/** Settings of these names mean the same in every type. */
function limitsOf({ window, binds, partsPerSecond }: JsonObject): CarrierLimits {
  const places =
    typeof window === 'number' ? window * (typeof binds === 'number' ? binds : 1) : null
  return {
    // As many again may wait for a place, so that the link never runs dry.
    inFlight: places === null ? inFlightMax : Math.min(places * 2, inFlightMax),
    partsPerSecond: typeof partsPerSecond === 'number' ? partsPerSecond : null,
  }
}
