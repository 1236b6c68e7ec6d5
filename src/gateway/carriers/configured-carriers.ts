import { defaultAccount } from '../../core/account.ts'
import type { CarrierCondition, CarrierType } from '../../core/ports/carrier.ts'
import { standardScheme } from '../../core/part-scheme.ts'
import { isJsonObject, type JsonObject } from '../../core/json.ts'
import { where, type Reader, type Store, type Stored } from '../../core/ports/store.ts'
import { carriers, type CarrierInstance, type HiddenCarrier } from '../../collections/carriers.ts'
import type { CarrierLimits, OpenCarrier } from './carriers.ts'

/** The most carriers that are opened. */
const carriersMax = 1000

/** The condition of a carrier that is not open yet. */
const stopped: CarrierCondition = {
  state: 'STOPPED',
  stateReason: 'It is not open yet.',
  since: 0,
  inFlight: 0,
  partsPerSecond: 0,
  lastError: null,
}

/** A carrier with all its settings. */
export interface ConfiguredCarrier {
  readonly instance: CarrierInstance
  readonly settings: JsonObject
}

/** Returns the active carriers. */
export function activeCarriers(store: Store): Promise<readonly ConfiguredCarrier[]> {
  return store.read(defaultAccount, activeCarriersIn)
}

/** Returns the active carriers, in a transaction. */
export async function activeCarriersIn(reader: Reader): Promise<readonly ConfiguredCarrier[]> {
  const found = await reader.list(carriers, null, where([], carriersMax))
  return found.map(readCarrier).filter(({ instance }) => instance.active)
}

/** Reads a carrier as it is stored, its secrets among its settings. */
export function readCarrier({ doc, hidden }: Pick<Stored, 'doc' | 'hidden'>): ConfiguredCarrier {
  const instance: CarrierInstance = JSON.parse(doc)
  const { secrets = {} }: HiddenCarrier = JSON.parse(hidden ?? '{}')
  return { instance, settings: { ...instance.settings, ...secrets } }
}

/** Returns a carrier as routing sees it; `own` is this node's share of it. */
export function openCarrierOf(
  { instance, settings }: ConfiguredCarrier,
  own: ConfiguredCarrier | null,
  types: readonly CarrierType[],
  condition: () => CarrierCondition | null,
): OpenCarrier {
  const type = types.find((each) => each.type === instance.type)
  const { id, routes, downLimitMs } = instance
  return {
    id,
    routes,
    downLimitMs,
    partScheme: type?.partScheme?.(settings) ?? standardScheme,
    limits: { ...limitsOf(settings), ...(own === null ? nothing : inFlightOf(own)) },
    condition: () => condition() ?? stopped,
  }
}

/** The limits of a node without binds of a carrier. */
const nothing = { inFlight: 0 }

/** Returns the limit in flight, which is this node's; the rate is that of all nodes together. */
function inFlightOf({ settings }: ConfiguredCarrier): Pick<CarrierLimits, 'inFlight'> {
  return { inFlight: limitsOf(settings).inFlight }
}

/** Returns the number of binds of each carrier whose type has binds. */
export function bindLimits(
  types: readonly CarrierType[],
  wanted: readonly ConfiguredCarrier[],
): ReadonlyMap<string, number> {
  const found = wanted.flatMap(({ instance, settings: { binds } }): [string, number][] => {
    const type = types.find((each) => each.type === instance.type)
    const has = type?.settings['binds'] !== undefined && typeof binds === 'number'
    return has ? [[instance.id, binds]] : []
  })
  return new Map(found)
}

/**
 * Returns a carrier with this node's share of its binds and of their rate; null if the share is
 * empty.
 */
export function withShareOf(
  { instance, settings }: ConfiguredCarrier,
  held: number,
  limit: number,
): ConfiguredCarrier | null {
  if (held === 0) return null
  const { partsPerSecond } = settings
  const rate = typeof partsPerSecond === 'number' ? partsPerSecond * (held / limit) : null
  return {
    instance,
    settings: { ...settings, binds: held, ...(rate === null ? {} : { partsPerSecond: rate }) },
  }
}

/** The most messages in flight with a carrier whose type has no window. */
const inFlightMax = 1000

/** Returns the limits. Settings of these names mean the same in every type. */
function limitsOf({ window, binds, batch, partsPerSecond }: JsonObject): CarrierLimits {
  const links = typeof binds === 'number' ? binds : 1
  // The window counts requests, and each of them can have several messages.
  const size = isJsonObject(batch) && typeof batch['size'] === 'number' ? batch['size'] : 1
  const places = typeof window === 'number' ? window * links * size : null
  return {
    // Twice the window: queued messages keep the link busy.
    inFlight: places === null ? inFlightMax : Math.min(places * 2, inFlightMax),
    partsPerSecond: typeof partsPerSecond === 'number' ? partsPerSecond : null,
  }
}
