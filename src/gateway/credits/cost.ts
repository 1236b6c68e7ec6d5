import { defaultAccount, type AccountId } from '../../core/account.ts'
import { qualifiedName } from '../../core/declaration/collection.ts'
import { microsPerCredit } from '../../core/ports/credits.ts'
import { where, type Store, type Transaction } from '../../core/ports/store.ts'
import { microsPerPart, prices, type Price } from '../../collections/prices.ts'

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
