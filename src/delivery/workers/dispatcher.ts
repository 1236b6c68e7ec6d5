import type { AccountId } from '../../core/account.ts'
import { eachShard } from '../../core/each-shard.ts'
import { wait } from '../../core/ports/clock.ts'
import type { Commit } from '../../core/ports/store.ts'
import { concurrencyLimiter, defaultTurnLimits, type TurnLimits } from './concurrency-limiter.ts'
import type { DeliveryParts, NodeState } from './delivery-parts.ts'
import { type LeaseParts, Leases, type WebhookWorkers } from './leases.ts'
import { WebhookWorker } from './webhook-worker.ts'

/** Dependencies of a dispatcher. */
export interface DispatcherParts extends Omit<DeliveryParts, 'limiter' | 'node'>, LeaseParts {
  readonly limits?: TurnLimits
}

/** Delivers notifications to webhooks, as long as it runs. */
export interface Dispatcher {
  /**
   * Stops new requests, waits at most `graceMs` for those in flight, aborts the rest, and releases
   * all webhooks, so that another node or the next start resumes immediately.
   */
  stop(graceMs: number): Promise<void>
}

/** Starts to serve the webhooks that no other node serves, those of each shard by themselves. */
export function startDispatcher(given: DispatcherParts): Dispatcher {
  const { store, clock, limits } = given
  const shared = concurrencyLimiter(limits ?? defaultTurnLimits, clock)
  const each = eachShard(store, clock, (ofShard) =>
    startOnShard({ ...given, store: ofShard }, shared),
  )
  return {
    stop: async (graceMs) => {
      await Promise.all(each.end().map((dispatcher) => dispatcher.stop(graceMs)))
    },
  }
}

function startOnShard(given: DispatcherParts, shared: DeliveryParts['limiter']): Dispatcher {
  const { store, clock, events, members } = given
  const stopping = new AbortController()
  const aborting = new AbortController()
  let changes = 0
  let wakeUp = new AbortController()

  const leases = new Leases(given)
  const node: NodeState = {
    holdsLeases: () => leases.hold(),
    changes: () => changes,
    stopping: stopping.signal,
    aborting: aborting.signal,
  }
  const workers = webhookWorkers({ ...given, limiter: shared, node })

  const onCommit = ({ notified, changed }: Commit): void => {
    for (const account of notified) workers.wake(account)
    if (changed.has('webhooks')) changes += 1
    else if (!changed.has('webhooks/replays')) return
    wakeUp.abort()
  }
  const unsubscribe = [
    store.onCommit(onCommit),
    // The share of this node changes with the nodes.
    members?.onChange(() => wakeUp.abort()),
  ]

  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      wakeUp = new AbortController()
      await leases.keep(workers).catch(events.leasesFailed)
      await wait(clock, leases.lookMs, wakeUp.signal)
    }
  }
  const running = run()

  return {
    stop: async (graceMs) => {
      for (const end of unsubscribe) end?.()
      stopping.abort()
      wakeUp.abort()
      await running
      const given = leases.part(workers, Infinity).catch(events.leasesFailed)
      const ended = workers.end()
      await Promise.race([ended, wait(clock, graceMs, aborting.signal)])
      aborting.abort()
      await ended
      await given
      await leases.giveUp().catch(events.leasesFailed)
    },
  }
}

/** Serves webhooks, each by one worker. */
function webhookWorkers(parts: DeliveryParts): WebhookWorkers {
  const accounts = new Map<AccountId, Map<string, WebhookWorker>>()

  const remove = (account: AccountId, webhookId: string, over: WebhookWorker): void => {
    const ofAccount = accounts.get(account)
    if (ofAccount?.get(webhookId) !== over) return
    ofAccount.delete(webhookId)
    if (ofAccount.size === 0) accounts.delete(account)
  }

  const all = (): readonly WebhookWorker[] =>
    [...accounts.values()].flatMap((ofAccount) => [...ofAccount.values()])

  return {
    serve: (consumer) => {
      const { account, webhookId } = consumer
      const ready = accounts.get(account)?.get(webhookId)?.end() ?? Promise.resolve()
      const begun = new WebhookWorker(consumer, ready, parts, () =>
        remove(account, webhookId, begun),
      )
      const ofAccount = accounts.get(account) ?? new Map<string, WebhookWorker>()
      accounts.set(account, ofAccount.set(webhookId, begun))
    },
    wake: (account) => {
      for (const each of accounts.get(account)?.values() ?? []) each.wake()
    },
    accounts: () => [...accounts.keys()],
    count: () => all().length,
    parting: () => all().filter(({ isEnded }) => isEnded).length,
    part: (count) => {
      const going = all().filter(({ isEnded }) => !isEnded)
      const ordered = going.toSorted((a, b) => Number(b.isResting) - Number(a.isResting))
      return ordered.slice(0, count).map((each) => {
        const { consumer, isResting } = each
        return { consumer, isResting, ended: each.end() }
      })
    },
    end: async () => {
      await Promise.all(all().map((each) => each.end()))
    },
  }
}
