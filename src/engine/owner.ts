import { accountId, defaultAccount, type AccountId } from '../core/account.ts'
import { Problem } from '../core/problem.ts'
import type { MaybePromise } from '../core/maybe-promise.ts'
import type { Transaction } from '../core/ports/store.ts'
import { withFault, type Input } from './input.ts'
import type { Engine, OperationRequest } from './operation.ts'

/** The account of a new instance, and the input with the faults of its account field. */
export interface Owner {
  readonly account: AccountId
  readonly input: Input
}

/**
 * Finds the account of a new instance: the one in its field `account` if the collection has owners,
 * else the account of the request.
 */
export function ownerOf(
  request: OperationRequest,
  input: Input,
  home: AccountId,
  transaction: Transaction,
  engine: Engine,
): MaybePromise<Owner> {
  const { compiled, principal } = request
  const named = compiled.declared.owned ? input.values['account'] : null
  const isHome = typeof named !== 'string' || named === principal.account
  const owner = { account: home, input }
  return isHome ? owner : otherOwner(request, named, owner, transaction, engine)
}

async function otherOwner(
  { principal }: OperationRequest,
  named: string,
  { account: home, input }: Owner,
  transaction: Transaction,
  engine: Engine,
): Promise<Owner> {
  if (!principal.administrator) {
    throw new Problem('forbidden', 'Only a key with the scope admin can name another account.')
  }
  const accounts = engine.catalogue.find('accounts')?.declared
  const exists = accounts && (await transaction.in(defaultAccount).find(accounts, { id: named }))
  if (exists) return { account: accountId(named), input }
  const detail = `names ${JSON.stringify(named)}, and there is no such account`
  return { account: home, input: withFault(input, 'account', { pointer: '/account', detail }) }
}
