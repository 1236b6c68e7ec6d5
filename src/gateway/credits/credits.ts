import { defaultAccount, type AccountId } from '../../core/account.ts'
import type { Instant } from '../../core/ports/clock.ts'
import {
  changeCredits,
  inMicros,
  microsOf,
  microsPerCredit,
  creditMovements,
  type CreditMovement,
  type MovementKind,
  enter,
  enterMovement,
  moveCredits,
} from '../../collections/credits/credit-movements.ts'
import type { NewId } from '../../core/id.ts'
import type { RuleContext } from '../../core/declaration/rules.ts'
import { where, type Transaction, type Store } from '../../core/ports/store.ts'
import type { Message } from '../../collections/messages.ts'
import { resubmissions } from '../messages/stored-message.ts'
import { qualifiedName } from '../../core/declaration/collection.ts'
import { prices, type Price } from '../../collections/credits/prices.ts'

/** A limit far above the movements of one message: one for each change of its cost. */
const movementsMax = 1000

/** The dependencies of moving credits for messages. */
type CreditContext = Pick<RuleContext, 'transaction' | 'newId'> & {
  readonly account: AccountId
  readonly at: Instant
}

/**
 * Reserves the cost of a new message, and returns a function that enters it into the ledger. Throws
 * `insufficient-credits` and then writes nothing. If the account's credits are not counted, it
 * reserves nothing.
 */
export async function reserve(
  message: Message,
  { transaction, account, newId, at }: CreditContext,
): Promise<() => Promise<void>> {
  const micros = -microsFor(message)
  if (micros === 0) return async () => {}
  const movement = { account, micros, kind: 'RESERVED', message, note: null, at } as const
  const entry = await moveCredits(transaction, movement, newId)
  return async () => {
    if (entry !== null) await enter(transaction, account, entry)
  }
}

/**
 * Replaces the reservation of a changed message by its new cost. Throws `insufficient-credits` and
 * then writes nothing.
 */
export async function reserveAgain(message: Message, context: CreditContext): Promise<void> {
  if (!(await isCounted(context))) return
  const reserved = await reservedFor(message, context)
  await move(message, reserved - microsFor(message), 'CHANGED', context)
}

/** Refunds all reserved credits of a message that was not sent. A second call changes nothing. */
export async function refund(message: Message, context: CreditContext): Promise<void> {
  if (message.creditCost === 0 || mayHaveLeft(message) || !(await isCounted(context))) return
  await move(message, await reservedFor(message, context), 'RETURNED', context)
}

/** The refunds of several accounts, for messages that were not sent. */
export interface Refunds {
  add(account: AccountId, message: Message): void
  /**
   * Refunds reserved credits, account by account in a fixed order, to avoid deadlocks between
   * transactions.
   */
  settle(at: Instant): Promise<void>
}

/** Creates the refunds of a transaction. */
export function refunds(transaction: Transaction, newId: NewId): Refunds {
  const all: { readonly account: AccountId; readonly message: Message }[] = []
  return {
    add: (account, message) => void all.push({ account, message }),
    settle: async (at) => {
      for (const { account, message } of all.toSorted(byAccount)) {
        await refund(message, { account, transaction, newId, at })
      }
    },
  }
}

function byAccount(a: { account: AccountId }, b: { account: AccountId }): number {
  if (a.account === b.account) return 0
  return a.account < b.account ? -1 : 1
}

/** Returns whether an earlier submit of the message has no known outcome. */
function mayHaveLeft(message: Message): boolean {
  return resubmissions(message) > 0
}

/**
 * Locks the credits of the account, so that the ledger does not change, and returns whether they
 * are counted.
 */
async function isCounted({ transaction, account }: CreditContext): Promise<boolean> {
  return (await changeCredits(transaction.in(account), 0)) !== null
}

/**
 * Reads the reserved credits from the ledger: a message that was accepted without counting has no
 * entry.
 */
async function reservedFor(
  { id, submission }: Message,
  { transaction, account }: CreditContext,
): Promise<number> {
  const ofMessage = where([{ path: ['messageId'], operator: 'eq', values: [id] }], movementsMax)
  const found = await transaction.in(defaultAccount).list(creditMovements, account, ofMessage)
  const own = found.filter(({ hidden }) => hidden?.includes(JSON.stringify(submission.id)))
  const micros = own.map(({ doc }) => inMicros((JSON.parse(doc) as CreditMovement).amount))
  return -micros.reduce((sum, each) => sum + each, 0)
}

function microsFor({ creditCost }: Message): number {
  return inMicros(creditCost)
}

async function move(
  message: Message,
  micros: number,
  kind: MovementKind,
  { transaction, account, newId, at }: CreditContext,
): Promise<void> {
  if (micros === 0) return
  await enterMovement(transaction, { account, micros, kind, message, note: null, at }, newId)
}

/** The fields that determine a price. */
export interface Priced {
  readonly account: AccountId
  readonly to: string
  readonly numberOfParts: number
}

/** A function that returns the cost of a message in credits, exact to six decimals. */
export type CostOf = (transaction: Transaction, priced: Priced) => Promise<number>

/** The most prices that are read. */
const pricesMax = 100_000

/** Creates the cost function for the operator's prices, which it reads again only after a change. */
export function costs({ onCommit }: Pick<Store, 'onCommit'>): CostOf {
  let known: ReadonlyMap<string, readonly Price[]> | null = null
  let changes = 0
  onCommit(({ changed }) => {
    if (!changed.has(qualifiedName(prices))) return
    changes += 1
    known = null
  })

  return async (transaction, { account, to, numberOfParts }) => {
    const table = known ?? (await read(transaction))
    return (numberOfParts * microsPerPart(table, account, to)) / microsPerCredit
  }

  async function read(transaction: Transaction): Promise<ReadonlyMap<string, readonly Price[]>> {
    const before = changes
    const found = await transaction.in(defaultAccount).list(prices, null, where([], pricesMax))
    const table = Map.groupBy(
      found.map(({ doc }): Price => JSON.parse(doc)),
      ({ prefix }) => prefix,
    )
    if (before === changes) known = table
    return table
  }
}

/**
 * Returns the millionths of a credit that a part to an address costs, by the longest prefix; 1
 * credit if no prefix matches.
 */
function microsPerPart(
  known: ReadonlyMap<string, readonly Price[]>,
  account: AccountId,
  to: string,
): number {
  // Where an operator has no prices at all, as most, no prefix is looked for.
  if (known.size === 0) return microsPerCredit
  for (let length = to.length; length >= 0; length -= 1) {
    const all = known.get(to.slice(0, length)) ?? []
    const price = all.find((each) => each.account === account) ?? all.find(isForAll)
    if (price !== undefined) return microsOf(price.creditsPerPart) ?? 0
  }
  return microsPerCredit
}

function isForAll({ account }: Price): boolean {
  return account === null
}
