import { accountId } from '../../core/account.ts'
import {
  changeCredits,
  countCredits,
  findCredits,
  decimalFaults,
  microsPerCredit,
  enterMovement,
} from './credit-movements.ts'
import type { JsonObject, JsonValue } from '../../core/json.ts'
import { Problem, type InputError } from '../../core/problem.ts'
import type { Change, RuleContext } from '../../core/declaration/rules.ts'
import type { Reader, Stored } from '../../core/ports/store.ts'

/**
 * Applies the balance in a write of an account: a number starts counting, null ends it. Afterwards
 * only credit movements change it. A PUT repeats the balance of an earlier GET, so it has no
 * effect. Returns true if the credits are counted from now on.
 */
export async function askedBalance(
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
export function countedBeside(hidden: JsonObject | null, counted: boolean): JsonObject | null {
  const { counted: _, ...others } = hidden ?? {}
  const beside = counted ? { ...others, counted } : others
  return Object.keys(beside).length === 0 ? null : beside
}

/** Returns the faults of the balance in a write. */
export function balanceFaults({ input }: Change): readonly InputError[] {
  return decimalFaults('creditBalance', input['creditBalance'])
}

/** The balances of accounts, of those alone looked up whose credits are counted. */
export async function liveBalances(
  accounts: readonly Stored[],
  reader: Reader,
): Promise<readonly JsonObject[]> {
  return Promise.all(
    accounts.map(async ({ id, hidden }) => {
      const isCounted = hidden !== null && JSON.parse(hidden).counted === true
      const micros = isCounted ? await findCredits(reader, accountId(id)) : null
      return { creditBalance: micros === null ? null : micros / microsPerCredit }
    }),
  )
}
