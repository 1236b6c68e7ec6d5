import type { AccountId } from '../../core/account.ts'
import type { LeasedConsumer } from '../../core/ports/consumers.ts'
import type { DeliveryParts } from './delivery-parts.ts'
import { WebhookWorker } from './webhook-worker.ts'

/** The webhooks that this node serves. */
export interface WebhookWorkers {
  /** Begins to serve a webhook; where it was served already, when its request in flight is done with. */
  serve(consumer: LeasedConsumer): void
  /** Something was appended to the log of an account. */
  wake(account: AccountId): void
  wakeAll(): void
  /** How many they are. */
  count(): number
  /** How many of them end just now. */
  parting(): number
  /** Begins to end so many of them: first those that have nothing to do. */
  part(count: number): readonly Parting[]
  /** Ends them all, and resolves when nothing is in flight. */
  end(): Promise<void>
}

/** A webhook that is served no more when what is in flight is done with. */
export interface Parting {
  readonly consumer: LeasedConsumer
  readonly ended: Promise<void>
  /** Nothing of it is in flight. */
  readonly isResting: boolean
}

/** Serves webhooks, each in a lane of its own. */
export function lanes(parts: DeliveryParts): WebhookWorkers {
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
    wakeAll: () => {
      for (const each of all()) each.wake()
    },
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
