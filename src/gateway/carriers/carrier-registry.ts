import type {
  Carrier,
  CarrierCondition,
  CarrierGround,
  CarrierType,
  ReportEvents,
} from '../../core/ports/carrier.ts'
import { qualifiedName } from '../../core/declaration/collection.ts'
import type { Instant } from '../../core/ports/clock.ts'
import { alone, type NodeMembers } from '../../core/ports/nodes.ts'
import type { Store } from '../../core/ports/store.ts'
import { carriers } from '../../collections/carriers.ts'
import { bindLeases, bindLimits, withShareOf, type BindLeases } from './bind-leases.ts'
import { loop, type Loop } from '../loop.ts'
import { pendingParts } from '../reports/receipt.ts'
import {
  activeCarriers,
  mergeConditions,
  openCarrierOf,
  readConditions,
  type CarrierHandle,
  type Carriers,
  type ConfiguredCarrier,
  type OpenCarrier,
  type SharedConditions,
} from './carriers.ts'
import { carrierLife, type CarrierLife } from './carrier-life.ts'

/** The dependencies of the carrier registry. */
export interface CarrierRegistryOptions extends CarrierGround {
  readonly store: Store
  readonly types: readonly CarrierType[]
  /** The nodes that share binds, windows and rates. Default: this one alone. */
  readonly members?: NodeMembers
  /** False if this node submits no messages and so opens no carriers. Default: true. */
  readonly opens?: boolean
}

/** The interval of renewing and acquiring bind leases. */
const bindPollMs = 1000

/** The interval of runs without a wake-up. */
const pollMs = 10_000

/**
 * The registry of carriers: it opens, reopens and closes them as the collection `carriers` changes.
 * Disposing it waits for messages in flight and closes all carriers.
 */
export class CarrierRegistry implements Carriers, AsyncDisposable {
  readonly #options: CarrierRegistryOptions
  readonly #members: NodeMembers
  /** Null if no other node shares the binds. */
  readonly #binds: BindLeases | null
  readonly #lives = new Map<string, CarrierLife>()
  readonly #listeners = new Set<() => void>()
  readonly #changes: Loop
  #shown: readonly OpenCarrier[] = []
  #print = ''
  /** The nodes that submitted messages at the last check. */
  #submitting: readonly string[] = []
  /** The carriers with state in the memory of a departed node. */
  readonly #inherited = new Set<string>()
  #report: ReportEvents | null = null
  #stop = (): void => {}

  /** Creates a registry without carriers. */
  constructor(options: CarrierRegistryOptions) {
    const { store, clock, log, opens = true, members = alone('') } = options
    this.#options = options
    this.#members = members
    this.#binds = store.isShared && opens ? bindLeases({ store, clock, members }) : null
    this.#changes = loop({ name: 'carriers', clock, log, pollMs, work: () => this.#follow() })
  }

  /** Returns the active carriers. */
  open(): readonly OpenCarrier[] {
    return this.#shown
  }

  /** Returns the condition of a carrier over all nodes; null if none has opened it. */
  conditionOf(id: string): CarrierCondition | null {
    const own = this.#lives.get(id)?.condition() ?? null
    return mergeConditions([...(own === null ? [] : [own]), ...readConditions(this.#members, id)])
  }

  /** Returns the conditions of this node's carriers for other nodes, as JSON text. */
  sharedState(): string {
    const open = [...this.#lives].flatMap(([id, each]) => {
      const condition = each.condition()
      return condition === null ? [] : [[id, condition] as const]
    })
    return JSON.stringify({ carriers: Object.fromEntries(open) } satisfies SharedConditions)
  }

  /** Returns an open carrier, to pass it events from outside; null if it is not open. */
  find(id: string): Carrier | null {
    return this.#lives.get(id)?.carrier() ?? null
  }

  /** Returns null if this carrier takes no messages. */
  acquire(id: string): CarrierHandle | null {
    return this.#lives.get(id)?.acquire() ?? null
  }

  /** Calls `listener` after each change of the open carriers. Returns a function that unsubscribes. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** Opens the active carriers and follows changes of the collection. */
  async start(report: ReportEvents): Promise<void> {
    const { store, clock } = this.#options
    this.#report = report
    this.#submitting = submittingOf(this.#members)
    const follow = (): void => this.#changes.wake(clock.now())
    const stopCommits = store.onCommit(({ changed }) => {
      if (changed.has(qualifiedName(carriers))) follow()
    })
    const stopMembers = this.#members.onChange(() => {
      this.#inherit()
      follow()
    })
    this.#stop = () => {
      stopCommits()
      stopMembers()
    }
    const next = await this.#follow()
    this.#changes.wake(next ?? clock.now() + pollMs)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const { log } = this.#options
    this.#stop()
    await this.#changes.stop()
    await Promise.all([...this.#lives.values()].map((each) => each.close()))
    await this.#binds
      ?.release()
      .catch((error: unknown) => log('warn', 'bind leases not released', { error }))
  }

  /** Takes over what departed nodes had in memory. Only one node does. */
  #inherit(): void {
    const submitting = submittingOf(this.#members)
    const hasGone = this.#submitting.some((id) => !submitting.includes(id))
    this.#submitting = submitting
    if (!hasGone || submitting[0] !== this.#members.self) return
    for (const id of this.#lives.keys()) this.#inherited.add(id)
  }

  /** Resumes pending parts. After a failure, for example of the store, the next run tries again. */
  #resume(): void {
    const { store, log } = this.#options
    for (const id of this.#inherited) {
      this.#inherited.delete(id)
      this.find(id)
        ?.resume?.(() => pendingParts(store, id))
        .catch((error: unknown) => {
          this.#inherited.add(id)
          log('warn', 'receipts not resumed', { carrier: id, error })
        })
    }
  }

  /** Opens, reopens and closes changed carriers. Returns when to renew bind leases. */
  async #follow(): Promise<Instant | null> {
    const { store, types, clock } = this.#options
    const wanted = await activeCarriers(store)
    const limits = this.#binds === null ? new Map<string, number>() : bindLimits(types, wanted)
    await this.#binds?.renew(limits)
    const owns = wanted.map((each) => this.#ownOf(each, limits))
    this.#want(wanted, owns)
    this.#shown = wanted.map((each, index) => this.#shownOf(each, owns[index] ?? null))
    for (const id of this.#lives.keys()) void this.#settle(id).catch(() => {})
    this.#resume()

    const print = JSON.stringify(owns)
    if (print !== this.#print) for (const listener of this.#listeners) listener()
    this.#print = print
    return limits.size > 0 ? clock.now() + bindPollMs : null
  }

  /** Returns this node's share of a carrier; null if it has none. */
  #ownOf(
    settled: ConfiguredCarrier,
    limits: ReadonlyMap<string, number>,
  ): ConfiguredCarrier | null {
    if (this.#options.opens === false) return null
    const { id } = settled.instance
    const limit = limits.get(id)
    return limit === undefined ? settled : withShareOf(settled, this.#binds?.heldOf(id) ?? 0, limit)
  }

  #want(wanted: readonly ConfiguredCarrier[], owns: readonly (ConfiguredCarrier | null)[]): void {
    const ids = new Set(wanted.map(({ instance }) => instance.id))
    for (const [id, each] of this.#lives) if (!ids.has(id)) each.want(null)
    for (const [index, { instance }] of wanted.entries()) {
      const own = owns[index] ?? null
      if (own !== null || this.#lives.has(instance.id)) this.#life(instance.id).want(own)
    }
  }

  #shownOf(settled: ConfiguredCarrier, own: ConfiguredCarrier | null): OpenCarrier {
    const { id } = settled.instance
    return {
      ...openCarrierOf(settled, own, this.#options.types, () => this.conditionOf(id)),
      isElsewhere: () => this.find(id) === null,
    }
  }

  /** Releases binds that were given up once their links are closed. */
  async #settle(id: string): Promise<void> {
    await this.#lives.get(id)?.settled()
    await this.#binds?.releaseClosed(id)
  }

  #life(id: string): CarrierLife {
    const start = async (carrier: Carrier): Promise<void> => {
      const { store } = this.#options
      if (this.#report === null) return
      await carrier.start(this.#report, () => pendingParts(store, carrier.id))
    }
    const known = this.#lives.get(id) ?? carrierLife(id, { ...this.#options, start })
    this.#lives.set(id, known)
    return known
  }
}

/** Returns the nodes that submit messages, in the same order on all nodes. */
function submittingOf(members: NodeMembers): readonly string[] {
  return members
    .live()
    .filter(({ roles }) => roles.includes('submit'))
    .map(({ id }) => id)
}
