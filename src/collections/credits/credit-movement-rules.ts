import { accountId } from '../../core/account.ts'
import { microsOf, microsPerCredit } from './credit-amounts.ts'
import type { JsonObject } from '../../core/json.ts'
import { invalidBody, Problem, type InputError } from '../../core/problem.ts'
import type { Rules } from '../../core/declaration/rules.ts'
import type { CreditMovement } from './credit-movements.ts'
import { moveCredits } from './move-credits.ts'

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
  if (typeof amount !== 'number') return []
  if (amount === 0) return [{ pointer: '/amount', detail: 'must not be 0' }]
  return microsOf(amount) === null
    ? [{ pointer: '/amount', detail: 'must have at most six decimals' }]
    : []
}
