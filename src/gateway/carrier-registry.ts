import { defaultAccount } from '../core/account.ts'
import type {
  Carrier,
  CarrierCondition,
  CarrierGround,
  CarrierType,
  ReportEvents,
} from '../core/carrier.ts'
import { qualifiedName } from '../core/collection.ts'

import type { JsonObject } from '../core/json.ts'
import { where, type Store, type Stored } from '../core/store.ts'
import { carriers, type CarrierInstance, type HiddenCarrier } from '../collections/carriers.ts'
import type { CarrierLimits, Carriers, Loan, OpenCarrier } from './carriers.ts'
import { loop } from './loop.ts'
import { pendingParts } from './pending-parts.ts'
import { lifeOf, type CarrierLife } from './carrier-life.ts'

/** What the registry of carriers needs. */
export interface CarrierRegistryOptions extends CarrierGround {
  readonly store: Store
  readonly types: readonly CarrierType[]
}

/** The carriers of the collection `carriers`, opened, reopened and closed as its instances change. */
export interface CarrierRegistry extends Carriers, AsyncDisposable {
  /** Opens what is active, and from here on follows the collection. */
  start(report: ReportEvents): Promise<void>
  /** How a carrier is just now; null where this process has not opened it. */
  conditionOf(id: string): CarrierCondition | null
  /** The carrier itself, to hand it what came from outside; null where it is not open. */
  find(id: string): Carrier | null
}

/** More carriers than this are not opened. */
const carriersMax = 1000

/** The net beneath the commits that tell of a change. */
const pollMs = 10_000

/** Makes the registry. Disposing it closes all that is open; messages with a carrier are waited for. */
export function carrierRegistry(options: CarrierRegistryOptions): CarrierRegistry {
  const { store, clock, log } = options
  const lives = new Map<string, CarrierLife>()
  const listeners = new Set<() => void>()
  let shown: readonly OpenCarrier[] = []
  let report: ReportEvents | null = null
  let stop = (): void => {}

  const follow = async (): Promise<null> => {
    const wanted = await activeCarriers(store)
    const ids = new Set(wanted.map(({ instance }) => instance.id))
    for (const [id, each] of lives) if (!ids.has(id)) each.want(null)
    for (const each of wanted) life(each.instance.id).want(each)
    shown = wanted.map((each) => shownOf(each, () => conditionOf(each.instance.id)))
    for (const listener of listeners) listener()
    return null
  }

  const life = (id: string): CarrierLife => {
    const known = lives.get(id) ?? lifeOf(id, { ...options, start })
    lives.set(id, known)
    return known
  }
  const start = async (carrier: Carrier): Promise<void> => {
    if (report !== null) await carrier.start(report, () => pendingParts(store, carrier.id))
  }

  const conditionOf = (id: string): CarrierCondition | null => lives.get(id)?.condition() ?? null
  const following = loop({ name: 'carriers', clock, log, pollMs, work: follow })

  return {
    open: () => shown,
    conditionOf,
    find: (id) => lives.get(id)?.carrier() ?? null,
    borrow: (id): Loan | null => lives.get(id)?.borrow() ?? null,
    onChange: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    async start(reportEvents) {
      report = reportEvents
      stop = store.onCommit(({ changed }) => {
        if (changed.has(qualifiedName(carriers))) following.wake(clock.now())
      })
      await follow()
      following.wake(clock.now() + pollMs)
    },
    async [Symbol.asyncDispose]() {
      stop()
      await following.stop()
      await Promise.all([...lives.values()].map((each) => each.close()))
    },
  }
}

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

async function activeCarriers(store: Store): Promise<readonly Settled[]> {
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

function shownOf(
  { instance, settings }: Settled,
  condition: () => CarrierCondition | null,
): OpenCarrier {
  const { id, routes, downLimitMs } = instance
  return {
    id,
    routes,
    downLimitMs,
    limits: limitsOf(settings),
    condition: () => condition() ?? stopped,
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
