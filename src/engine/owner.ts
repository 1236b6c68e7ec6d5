import { accountId, defaultAccount, type AccountId } from '../core/account.ts'
import type { JsonObject } from '../core/json.ts'
import { invalidBody, Problem } from '../core/problem.ts'
import type { Transaction } from '../core/store.ts'
import type { Engine, OperationRequest } from './operation.ts'

/**
 * The account that a new instance will belong to: the one its field `account` names where the
 * collection has owners, else the account that the request works in.
 */
export async function ownerOf(
  request: OperationRequest,
  input: JsonObject,
  home: AccountId,
  transaction: Transaction,
  engine: Engine,
): Promise<AccountId> {
  const { compiled, principal } = request
  const named = compiled.declared.owned ? input['account'] : null
  if (typeof named !== 'string' || named === principal.account) return home
  if (!principal.administrator) {
    throw new Problem('forbidden', 'Only a key with the scope admin can name another account.')
  }
  const accounts = engine.catalogue.find('accounts')?.declared
  const exists = accounts && (await transaction.in(defaultAccount).find(accounts, { id: named }))
  if (exists) return accountId(named)
  const detail = `names ${JSON.stringify(named)}, and there is no such account`
  throw invalidBody([{ pointer: '/account', detail }])
}
