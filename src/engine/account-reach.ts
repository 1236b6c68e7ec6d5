import {
  accountId,
  defaultAccount,
  everyAccount,
  type AccountId,
  type AccountReach,
} from '../core/account.ts'
import { Problem } from '../core/problem.ts'
import type { MaybePromise } from '../core/maybe-promise.ts'
import type { Transaction } from '../core/ports/store.ts'
import { withFault, type Input } from './input.ts'
import type { Engine, OperationRequest } from './operation.ts'
import type { Compiled } from './compiled.ts'

/** Returns the accounts that a request can read. */
export function reachOf(request: OperationRequest): AccountReach {
  const { declared } = (request.parent ?? request).compiled
  if (declared.administratorsOnly) return defaultAccount
  return declared.owned && request.principal.administrator
    ? everyAccount
    : request.principal.account
}

/**
 * Returns the account in which a write on an instance works: for an administrator the account of
 * the instance, for all others their account.
 */
export function homeOf(request: OperationRequest, { store }: Engine): MaybePromise<AccountId> {
  const reach = reachOf(request)
  if (reach !== everyAccount) return reach
  const { compiled, id } = request.parent ?? request
  // A request that creates an instance has an empty identifier.
  if (id === '') return request.principal.account
  const { declared } = compiled
  const found = store.read(reach, (reader) => reader.find(declared, { id }))
  return found.then((stored) => stored?.account ?? request.principal.account)
}

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

/** The parameter by which an administrator reads in another account. */
export const accountParameter = 'account'

/**
 * Returns true if an administrator chooses the account of a read. In other collections `account` is a
 * field, or all instances belong to the installation.
 */
export function choosesAccount(compiled: Compiled, parent: Compiled | null): boolean {
  const { owned, administratorsOnly } = (parent ?? compiled).declared
  return !owned && !administratorsOnly && compiled.declared.fields[accountParameter] === undefined
}

/** Returns true if `account` filters a list by the account that instances belong to, or that they name. */
export function filtersByAccount({ declared }: Compiled): boolean {
  const field = declared.fields[accountParameter]
  if (field === undefined) return false
  return declared.owned || (field.kind === 'reference' && field.collection === 'accounts')
}
