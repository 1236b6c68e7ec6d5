import type { AccountId } from '../../src/core/account.ts'
import type { Writer } from '../../src/core/ports/store.ts'
import type { Draft } from './state.ts'

/** Moves the credits of an account within a draft. */
export function memoryCredits(
  draft: Draft,
  account: AccountId,
): Pick<Writer, 'countCredits' | 'moveCredits'> {
  return {
    countCredits: async (counted) => {
      if (!counted) draft.change('credits').delete(account)
      else if (!draft.see('credits').has(account)) draft.change('credits').set(account, 0)
    },
    moveCredits: async (micros) => {
      const before = draft.see('credits').get(account)
      if (before === undefined) return { kind: 'UNCOUNTED' }
      const balance = before + micros
      if (balance < 0) return { kind: 'SHORT', balance: before }
      draft.change('credits').set(account, balance)
      return { kind: 'MOVED', balance }
    },
  }
}
