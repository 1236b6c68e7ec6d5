import type { AccountId } from '../../../core/account.ts'
import { cellOf } from '../../cell.ts'
import type { SqlConnection } from '../connection.ts'

/** Credits that a transaction has moved and not yet written, in millionths. It holds their rows. */
export interface CreditMoves {
  of(account: AccountId): number
  add(account: AccountId, micros: number): void
  /** Writes the moved credits, once for each account. */
  write(connection: SqlConnection): Promise<void>
}

/** Creates an empty set of moves. */
export function creditMoves(): CreditMoves {
  const moved = new Map<AccountId, number>()
  return {
    of: (account) => moved.get(account) ?? 0,
    add: (account, micros) => {
      moved.set(account, (moved.get(account) ?? 0) + micros)
    },
    write: async (connection) => {
      const all = [...moved].filter(([, micros]) => micros !== 0)
      moved.clear()
      await Promise.all(
        all.map(([account, micros]) => connection.run(move, [micros, cellOf(account), account])),
      )
    },
  }
}

const move = 'update credits set micros = micros + ? where cell = ? and account = ?'
