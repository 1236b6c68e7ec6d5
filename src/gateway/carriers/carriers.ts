import { defaultAccount } from '../../core/account.ts'
import type { Carrier, CarrierCondition, CarrierType } from '../../core/ports/carrier.ts'
import { standardScheme, type PartScheme } from '../../core/part-scheme.ts'
import { isJsonObject, type JsonObject } from '../../core/json.ts'
import type { NodeMembers } from '../../core/ports/nodes.ts'
import { where, type Reader, type Store, type Stored } from '../../core/ports/store.ts'
import {
  carriers,
  type CarrierInstance,
  type CarrierRoute,
  type HiddenCarrier,
} from '../../collections/carriers.ts'

/** The open carriers of this process. */
export interface Carriers {
  /** Returns the carriers that take messages now. */
  open(): readonly OpenCarrier[]
  /** Returns null if this carrier takes no messages. */
  acquire(id: string): CarrierHandle | null
  /** Calls `listener` after each change of the open carriers. Returns a function that unsubscribes. */
  onChange(listener: () => void): () => void
}

/** A carrier as routing and claims see it. */
export interface OpenCarrier {
  readonly id: string
  readonly routes: readonly CarrierRoute[]
  /** The time without a bind after which another carrier takes over. */
  readonly downLimitMs: number
  readonly limits: CarrierLimits
  /** The scheme that splits its messages into parts. */
  readonly partScheme: PartScheme
  /** Returns its condition over all nodes. */
  condition(): CarrierCondition
  /** Returns true if it is not open here but may be on another node. */
  readonly isElsewhere?: () => boolean
}

/** The limits of a carrier. */
export interface CarrierLimits {
  /** The most messages in flight; `limitsOf` computes it from the settings. */
  readonly inFlight: number
  /** The most parts per second; null: no limit. */
  readonly partsPerSecond: number | null
}

/** A handle that keeps a carrier open while a message is in flight. */
export interface CarrierHandle {
  readonly carrier: Carrier
  release(): void
}

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

/** The state of a node's carriers that other nodes can read. */
export interface SharedConditions {
  readonly carriers?: Readonly<Record<string, CarrierCondition>>
}

/** Returns the last known conditions of a carrier on the other nodes. */
export function readConditions(members: NodeMembers, carrier: string): readonly CarrierCondition[] {
  return members.live().flatMap(({ id, sharedState }) => {
    if (id === members.self) return []
    const condition = conditionsIn(sharedState)[carrier]
    return condition === undefined ? [] : [condition]
  })
}

/** The states, best first. */
const states = ['BOUND', 'CONNECTING', 'DOWN', 'STOPPED'] as const

/** Merges the conditions of a carrier on several nodes: the best state, with the sum of all rates. */
export function mergeConditions(conditions: readonly CarrierCondition[]): CarrierCondition | null {
  const [first, ...others] = conditions
  if (first === undefined || others.length === 0) return first ?? null
  const best = others.reduce((a, b) => (rankOf(b) < rankOf(a) ? b : a), first)
  const sum = (of: (condition: CarrierCondition) => number): number =>
    conditions.reduce((total, condition) => total + of(condition), 0)
  return {
    ...best,
    inFlight: sum(({ inFlight }) => inFlight),
    partsPerSecond: sum(({ partsPerSecond }) => partsPerSecond),
  }
}

function rankOf({ state }: CarrierCondition): number {
  return states.indexOf(state)
}

let last: { readonly text: string; readonly read: NonNullable<SharedConditions['carriers']> }[] = []

/** Parses the conditions of a node. Caches the texts of a few nodes, which are read again and again. */
function conditionsIn(text: string): NonNullable<SharedConditions['carriers']> {
  const known = last.find((each) => each.text === text)
  if (known !== undefined) return known.read
  const { carriers: read = {} }: SharedConditions = JSON.parse(text)
  last = [...last.slice(-15), { text, read }]
  return read
}
