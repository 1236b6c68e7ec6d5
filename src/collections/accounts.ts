import { collection, type InstanceOf } from '../core/declaration/collection.ts'
import { type AccountId, defaultAccount } from '../core/account.ts'
import { type AccountLimits, limitsOf, type OwnLimits } from '../core/declaration/account-limits.ts'
import type { Transaction } from '../core/ports/store.ts'
import { creditsMax } from './credits/credit-amounts.ts'
import { retentionDaysMax } from '../core/retention-days.ts'
import { boolean, integer, number, object, text } from '../core/declaration/field.ts'
import { invalidBody, Problem } from '../core/problem.ts'
import type { Rules } from '../core/declaration/rules.ts'
import {
  askedBalance,
  balanceFaults,
  countedBeside,
  liveBalances,
} from './credits/credit-balance.ts'

function retentionDays(description: string) {
  return integer({ nullable: true, minimum: 1, maximum: retentionDaysMax, description })
}

const limit = <const D extends string>(description: D) =>
  integer({ nullable: true, minimum: 0, maximum: 1_000_000_000_000, description })

/** A tenant. Every other instance belongs to exactly one. */
export const accounts = collection({
  name: 'accounts',
  noun: 'account',
  description: 'A tenant; every other instance belongs to exactly one.',
  searchedBy: ['name'],
  administratorsOnly: true,
  audited: true,
  fields: {
    name: text({ minLength: 1, maxLength: 200, required: true, description: 'Name.' }),
    active: boolean({
      default: true,
      description: 'Whether its keys work. Only an inactive account can be deleted.',
    }),
    creditBalance: number({
      live: true,
      nullable: true,
      minimum: 0,
      maximum: creditsMax,
      description:
        'Credits left for messages; null: no limit. A number starts a balance if there was none; ' +
        'later only `creditMovements` change it, and null removes it.',
    }),
    messageRetentionDays: retentionDays(
      'Days after which a message that has ended is removed; null: the setting of the same name.',
    ),
    bodyRetentionDays: retentionDays(
      'Days after which the body of a message that has ended is erased; null: the setting of the same name.',
    ),
    limits: object(
      {
        webhooks: limit('Webhooks.'),
        keys: limit('Keys.'),
        eventStreams: limit('Open event streams, per node.'),
        idempotencyBytes: limit('Octets of stored responses to requests with `Idempotency-Key`.'),
        waitingMessages: limit('Messages that no carrier has taken yet.'),
        requestsPerSecond: limit('Requests per second, of all keys; 0: no limit.'),
      },
      {
        nullable: true,
        description: 'Limits of the account; null: the configured one. Beyond one: 403 or 429.',
      },
    ),
    /** Its credits are counted: only then are they looked up. */
    counted: boolean({ internal: true }),
    /** Of the installation's own account: seals places in the notification log. */
    placeSecret: text({ internal: true, secret: true }),
  },
})

/** An account as it is served. */
export type Account = InstanceOf<typeof accounts>

/** The rules of accounts: one that is in use is not deleted, and the administrator's own stays. */
export const accountRules: Rules = {
  faults: async (change) => balanceFaults(change),
  write: async (change, context) => {
    const { after, hiddenAfter } = change
    const faults = balanceFaults(change)
    if (faults.length > 0) throw invalidBody(faults)
    if (after['id'] === defaultAccount && after['active'] === false) {
      throw new Problem('conflict', 'The account of the administrator must stay active.')
    }
    const counted = await askedBalance(change, context)
    return { instance: after, hidden: countedBeside(hiddenAfter, counted) }
  },
  remove: async (before) => {
    const { active }: Account = JSON.parse(before.doc)
    if (before.id === defaultAccount) {
      throw new Problem('conflict', 'The account of the administrator cannot be deleted.')
    }
    if (active) {
      const cure = 'Set active to false first.'
      throw new Problem('conflict', `The account is in use and cannot be deleted. ${cure}`)
    }
  },
  live: liveBalances,
}

/** Returns the limits of an account, as they are stored in this transaction. */
export async function limitsOfAccount(
  account: AccountId,
  transaction: Transaction,
  configured: AccountLimits,
): Promise<AccountLimits> {
  const found = await transaction.in(defaultAccount).find(accounts, { id: account })
  const own: OwnLimits = found === null ? null : JSON.parse(found.doc).limits
  return limitsOf(own, configured)
}
