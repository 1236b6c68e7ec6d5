import { defaultAccount, type AccountId } from '../../core/account.ts'
import type { Instant } from '../../core/ports/clock.ts'
import { changeCredits, creditsMax, microsPerCredit } from './credit-amounts.ts'
import type { NewId } from '../../core/id.ts'
import { Problem } from '../../core/problem.ts'
import type { Transaction } from '../../core/ports/store.ts'
import { timestamp } from '../../core/timestamp.ts'
import { noteMoved, noteRefused } from './credit-book.ts'
import { creditMovements, type CreditMovement, type MovementKind } from './credit-movements.ts'

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
    noteRefused(transaction)
    throw insufficient(-micros, change.count)
  }
  if (!change.isAdded) {
    throw new Problem('conflict', `An account has at most ${creditsMax} credits.`)
  }
  noteMoved(transaction, kind, micros)
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
