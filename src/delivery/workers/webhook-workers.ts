import type { AccountId } from '../../core/account.ts'
import type { LeasedConsumer } from '../../core/ports/consumers.ts'
import type { DeliveryParts } from './delivery-parts.ts'
import { WebhookWorker } from './webhook-worker.ts'

/** The webhooks that this node serves. */
export interface WebhookWorkers {
  /** Starts to serve a webhook; if it was served already, after its request in flight. */
  serve(consumer: LeasedConsumer): void
  /** Something was appended to the log of an account. */
  wake(account: AccountId): void
  /** The accounts of the webhooks. */
  accounts(): readonly AccountId[]
  /** Returns the number of webhooks. */
  count(): number
  /** Returns the number of webhooks that are ending. */
  parting(): number
  /** Ends some webhooks, idle ones first. */
  part(count: number): readonly Parting[]
  /** Ends them all, and resolves when nothing is in flight. */
  end(): Promise<void>
}

/** Webhook that ends after its request in flight. */
export interface Parting {
  readonly consumer: LeasedConsumer
  readonly ended: Promise<void>
  /** Nothing of it is in flight. */
  readonly isResting: boolean
}

/** Serves webhooks, each by one worker. */
export function webhookWorkers(parts: DeliveryParts): WebhookWorkers {
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
