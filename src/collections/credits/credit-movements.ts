import { transactionNotes } from '../../core/transaction-notes.ts'
import { type AccountId, defaultAccount, accountId } from '../../core/account.ts'
import type { CounterChange } from '../../core/ports/counters.ts'
import type { Reader, Writer, Transaction } from '../../core/ports/store.ts'
import { collection, type InstanceOf } from '../../core/declaration/collection.ts'
import { choice, number, text } from '../../core/declaration/field.ts'
import type { Instant } from '../../core/ports/clock.ts'
import type { NewId } from '../../core/id.ts'
import { Problem, invalidBody, type InputError } from '../../core/problem.ts'
import { timestamp } from '../../core/timestamp.ts'
import type { JsonObject, JsonValue } from '../../core/json.ts'
import type { Rules } from '../../core/declaration/rules.ts'

/** Credits are counted in millionths, so that no sum is rounded. */
export const microsPerCredit = 1_000_000

/** The most credits that an account can have: their millionths are exact in a double (RFC 8259 section 6). */
export const creditsMax = 1_000_000_000

/** Converts credits that the service has computed to millionths. */
export function inMicros(credits: number): number {
  return Math.round(credits * microsPerCredit)
}

/** Converts credits to millionths; returns null if the result is no integer. */
export function microsOf(credits: number): number | null {
  const micros = inMicros(credits)
  return micros / microsPerCredit === credits ? micros : null
}

/** Returns the faults of a field that holds credits. */
export function decimalFaults(name: string, credits: JsonValue | undefined): readonly InputError[] {
  if (typeof credits !== 'number' || microsOf(credits) !== null) return []
  return [{ pointer: `/${name}`, detail: 'must have at most six decimals' }]
}

/** The counter of an account's credits. */
const [subject, name] = ['credits', 'micros']

const bounds = { atLeast: 0, atMost: creditsMax * microsPerCredit }

/** Returns the account's credits in millionths; null if they are not counted. */
export async function findCredits(reader: Reader, account: AccountId): Promise<number | null> {
  return (await reader.findCounters(account, [subject])).get(subject)?.[name] ?? null
}

/** Starts counting the credits of the writer's account, from zero; or stops it. */
export function countCredits(writer: Writer, isCounted: boolean): Promise<void> {
  return writer.setCounters(subject, isCounted ? [name] : [])
}

/**
 * Adds millionths to the credits of the writer's account, or takes them. The balance stays locked until the
 * transaction ends; zero only locks and reads it. Returns null if the credits are not counted.
 */
export function changeCredits(writer: Writer, micros: number): Promise<CounterChange | null> {
  return writer.addToCounter(subject, name, micros, bounds)
}

/** Why credits were moved. */
export const movementKinds = [
  'TOP_UP',
  'WITHDRAWAL',
  'RESERVED',
  'CHANGED',
  'RETURNED',
  'OPENING',
] as const

/** The ledger of an account's credits: the sum of its amounts is the account's `creditBalance`. */
export const creditMovements = collection({
  name: 'creditMovements',
  noun: 'creditMovement',
  description: 'An entry in the ledger of an account’s credits. The sum of all is the balance.',
  parent: 'accounts',
  order: 'newestFirst',
  methods: { collection: ['GET', 'POST'], instance: ['GET'] },
  fields: {
    amount: number({
      required: true,
      minimum: -creditsMax,
      maximum: creditsMax,
      description: 'Added credits; negative: removed credits. At most six decimals.',
    }),
    kind: choice(movementKinds, {
      readOnly: true,
      description:
        '`TOP_UP` and `WITHDRAWAL`: by the operator. `RESERVED`: a message was accepted. ' +
        '`CHANGED`: its cost changed. `RETURNED`: it ended before its submit. ' +
        '`OPENING`: the sum of entries older than 400 days.',
    }),
    messageId: text({
      readOnly: true,
      nullable: true,
      indexed: true,
      description: 'The message of the entry.',
    }),
    balance: number({ readOnly: true, description: 'The balance after the entry.' }),
    note: text({
      nullable: true,
      maxLength: 200,
      description: 'A note of the operator, such as an invoice number.',
    }),
    /** Which message it is for: a deleted one's identifier may be used again, this one is not. */
    submission: text({ internal: true }),
  },
})

/** The ledger of the account that asks: accounts themselves only administrators reach. */
export const credits = collection({
  name: 'credits',
  noun: 'credit',
  description: 'An entry in the ledger of the caller’s account. The sum of all is the balance.',
  membersOf: 'accounts/creditMovements',
  methods: { collection: ['GET'], instance: ['GET'] },
  fields: {},
})

/** A movement as it is served. */
export type CreditMovement = InstanceOf<typeof creditMovements>

/** Why credits were moved. */
export type MovementKind = (typeof movementKinds)[number]

/** A change of credits in a transaction, or a refusal for lack of them. */
type CreditNote =
  { readonly kind: MovementKind; readonly micros: number } | { readonly kind: 'REFUSED' }

/**
 * Notes of changes, which count once their transaction is committed, and of refusals, which count even if
 * it fails.
 */
export const creditNotes = transactionNotes<CreditNote>()

/** Credits to be moved, and why. */
export interface Movement {
  readonly account: AccountId
  /** In millionths; negative where they are taken. */
  readonly micros: number
  readonly kind: MovementKind
  readonly message: { readonly id: string; readonly submission: { readonly id: string } } | null
  readonly note: string | null
  readonly at: Instant
}

/** Ledger entry: the served movement and its hidden fields. */
export interface Entry {
  readonly movement: CreditMovement
  readonly hidden: { readonly submission: string } | null
}

/**
 * Moves credits and returns the ledger entry, which must be saved in the same transaction. Returns
 * null if the account's credits are not counted. Throws `insufficient-credits`, and `conflict` if
 * the balance would exceed its maximum. A refusal writes nothing.
 */
export async function moveCredits(
  transaction: Transaction,
  movement: Movement,
  newId: NewId,
): Promise<Entry | null> {
  const { account, micros, kind, message, note, at } = movement
  const change = await changeCredits(transaction.in(account), micros)
  if (change === null) return null
  if (!change.isAdded && micros < 0) {
    creditNotes.note(transaction, { kind: 'REFUSED' })
    throw insufficient(-micros, change.count)
  }
  if (!change.isAdded) {
    throw new Problem('conflict', `An account has at most ${creditsMax} credits.`)
  }
  creditNotes.note(transaction, { kind, micros })
  // Create the identifier while the balance is locked: identifiers follow the order of the
  // balances.
  const id = newId(creditMovements.noun)
  const date = timestamp(at)
  return {
    movement: {
      id,
      amount: micros / microsPerCredit,
      kind,
      messageId: message?.id ?? null,
      balance: change.count / microsPerCredit,
      note,
      createdAt: date,
      updatedAt: date,
    },
    hidden: message && { submission: message.submission.id },
  }
}

/** Moves credits and enters that into the ledger. Promises and throws what `moveCredits` does. */
export async function enterMovement(
  transaction: Transaction,
  movement: Movement,
  newId: NewId,
): Promise<void> {
  const entry = await moveCredits(transaction, movement, newId)
  if (entry !== null) await enter(transaction, movement.account, entry)
}

/** Saves an entry in the ledger of an account. */
export async function enter(
  transaction: Transaction,
  account: AccountId,
  { movement, hidden }: Entry,
): Promise<void> {
  const key = { id: movement.id, parent: account }
  await transaction.in(defaultAccount).save(creditMovements, key, movement, hidden)
}

function insufficient(cost: number, left: number): Problem {
  const [costs, has] = [cost / microsPerCredit, left / microsPerCredit]
  return new Problem('insufficient-credits', `This takes ${costs} credits, and ${has} are left.`)
}

/** Rules of the ledger: an operator tops up or withdraws, if credits are counted. */
export const creditMovementRules: Rules = {
  faults: async ({ after }) => amountFaults(after),
  write: async ({ after, parent }, { transaction, clock, newId }) => {
    const faults = amountFaults(after)
    if (faults.length > 0) throw invalidBody(faults)
    const { id, amount, note } = after as CreditMovement
    const movement = {
      account: accountId(parent ?? ''),
      micros: Math.round(amount * microsPerCredit),
      kind: amount > 0 ? 'TOP_UP' : 'WITHDRAWAL',
      message: null,
      note,
      at: clock.now(),
    } as const
    const entry = await moveCredits(transaction, movement, newId)
    if (entry === null) {
      const cure = 'Give it a creditBalance first: a number, and no null.'
      throw new Problem('conflict', `The credits of this account are not counted. ${cure}`)
    }
    return { instance: { ...entry.movement, id }, hidden: null }
  },
}

function amountFaults({ amount }: JsonObject): readonly InputError[] {
  if (amount === 0) return [{ pointer: '/amount', detail: 'must not be 0' }]
  return decimalFaults('amount', amount)
}
