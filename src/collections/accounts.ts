import { collection, type InstanceOf } from '../core/declaration/collection.ts'
import { type AccountId, accountId, defaultAccount } from '../core/account.ts'
import { type AccountLimits, limitsOf, type OwnLimits } from '../core/account-limits.ts'
import type { Transaction, Reader, Stored } from '../core/ports/store.ts'
import { retentionDaysMax } from '../core/retention-days.ts'
import { boolean, integer, number, object, text } from '../core/declaration/field.ts'
import { invalidBody, Problem, type InputError } from '../core/problem.ts'
import type { Rules, Change, RuleContext } from '../core/declaration/rules.ts'
import type { JsonObject, JsonValue } from '../core/json.ts'
import {
  creditsMax,
  changeCredits,
  countCredits,
  findCredits,
  decimalFaults,
  microsPerCredit,
  enterMovement,
} from './credits/credit-movements.ts'

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

/**
 * Applies the balance in a write of an account: a number starts counting, null ends it. Afterwards
 * only credit movements change it. A PUT repeats the balance of an earlier GET, so it has no
 * effect. Returns true if the credits are counted from now on.
 */
async function askedBalance(
  change: Change,
  { transaction, clock, newId }: RuleContext,
): Promise<boolean> {
  const { method, after, hiddenBefore } = change
  const asked = askedOf(change)
  const isCounted = hiddenBefore?.['counted'] === true
  const account = accountId(String(after['id']))
  const writer = transaction.in(account)
  const enter = (micros: number, kind: 'TOP_UP' | 'WITHDRAWAL'): Promise<void> => {
    const movement = { account, micros, kind, message: null, note: null, at: clock.now() }
    return micros === 0 ? Promise.resolve() : enterMovement(transaction, movement, newId)
  }

  if (typeof asked === 'number' && !isCounted) {
    await countCredits(writer, true)
    await enter(Math.round(asked * microsPerCredit), 'TOP_UP')
    return true
  }
  if (!isCounted || asked === undefined) return isCounted

  // This locks the balance until the commit.
  const micros = (await changeCredits(writer, 0))?.count ?? 0
  if (asked === null) {
    await enter(-micros, 'WITHDRAWAL')
    await countCredits(writer, false)
    return false
  }
  if (method === 'PATCH' && asked !== micros / microsPerCredit) {
    const cure = 'POST a movement to its creditMovements.'
    throw new Problem('conflict', `The balance of an account is moved, not set. ${cure}`)
  }
  return true
}

/** In a merge patch null takes a field out of the input. */
function askedOf({ method, body, input }: Change): JsonValue | undefined {
  const name = 'creditBalance'
  return method === 'PATCH' && body[name] === null ? null : input[name]
}

/** Returns the hidden fields of an account whose credits are counted, or are not. */
function countedBeside(hidden: JsonObject | null, counted: boolean): JsonObject | null {
  const { counted: _, ...others } = hidden ?? {}
  const beside = counted ? { ...others, counted } : others
  return Object.keys(beside).length === 0 ? null : beside
}

/** Returns the faults of the balance in a write. */
function balanceFaults({ input }: Change): readonly InputError[] {
  return decimalFaults('creditBalance', input['creditBalance'])
}

/** The balances of accounts, of those alone looked up whose credits are counted. */
async function liveBalances(
  stored: readonly Stored[],
  reader: Reader,
): Promise<readonly JsonObject[]> {
  return Promise.all(
    stored.map(async ({ id, hidden }) => {
      const isCounted = hidden !== null && JSON.parse(hidden).counted === true
      const micros = isCounted ? await findCredits(reader, accountId(id)) : null
      return { creditBalance: micros === null ? null : micros / microsPerCredit }
    }),
  )
}
