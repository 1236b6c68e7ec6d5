import { accountId, defaultAccount } from '../../core/account.ts'
import type { Principal } from '../../core/declaration/rules.ts'
import { type MaybePromise } from '../../core/maybe-promise.ts'
import { invalidParameters } from '../../core/problem.ts'
import { accountParameter } from '../../engine/account-choice.ts'
import type { Engine } from '../../engine/operation.ts'
import type { FilterParameter } from '../../engine/query/filter-parameters.ts'

/** The principal of a read, and the parameters of the read itself. */
export interface AccountRead {
  readonly principal: Principal
  readonly parameters: readonly FilterParameter[]
}

/**
 * Lets an administrator read in the account that the parameters name. Others have no such parameter.
 * Throws `invalid-parameter` if there is no such account.
 */
export function inChosenAccount(
  read: AccountRead,
  engine: Pick<Engine, 'store' | 'catalogue'>,
): MaybePromise<AccountRead> {
  const { principal, parameters } = read
  if (!principal.administrator) return read
  const named = parameters.filter(([name]) => name === accountParameter).map(([, value]) => value)
  return named.length === 0 ? read : choose(named, read, engine)
}

async function choose(
  named: readonly string[],
  { principal, parameters }: AccountRead,
  { store, catalogue }: Pick<Engine, 'store' | 'catalogue'>,
): Promise<AccountRead> {
  const [id = ''] = named
  if (named.length > 1)
    throw invalidParameters([{ parameter: accountParameter, detail: 'must be given once' }])
  const accounts = catalogue.find('accounts')?.declared
  const found =
    accounts && (await store.read(defaultAccount, (reader) => reader.find(accounts, { id })))
  if (!found) {
    const detail = `names ${JSON.stringify(id)}, and there is no such account`
    throw invalidParameters([{ parameter: accountParameter, detail }])
  }
  return {
    principal: { ...principal, account: accountId(id) },
    parameters: parameters.filter(([name]) => name !== accountParameter),
  }
}
