import { accountId, defaultAccount } from '../../core/account.ts'
import type { Principal } from '../../core/declaration/rules.ts'
import type { MaybePromise } from '../../core/maybe-promise.ts'
import { invalidParameters, type InputError } from '../../core/problem.ts'
import { accountParameter, choosesAccount, filtersByAccount } from '../../engine/account-reach.ts'
import type { Engine } from '../../engine/operation.ts'
import type { RoutedResource } from './routes.ts'
import type { FilterParameter } from '../../engine/query/filter-parameters.ts'

/** The principal of a read, and the parameters of the read itself. */
export interface AccountRead {
  readonly principal: Principal
  readonly parameters: readonly FilterParameter[]
}

/**
 * Prepares a read by an administrator: `account` names the account to read in, or filters by it. Either way an account
 * that does not exist is refused: an empty list would look like an account without instances. Others learn nothing.
 */
export function accountRead(
  read: AccountRead,
  { compiled, parent }: RoutedResource,
  engine: Pick<Engine, 'store' | 'catalogue'>,
): MaybePromise<AccountRead> {
  if (choosesAccount(compiled, parent?.compiled ?? null)) return inChosenAccount(read, engine)
  const { principal, parameters } = read
  const named = accountsIn(parameters).filter((value) => value !== 'null')
  if (!principal.administrator || named.length === 0 || !filtersByAccount(compiled)) return read
  return checkAll(named, engine).then(() => read)
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
  const named = accountsIn(parameters)
  return named.length === 0 ? read : choose(named, read, engine)
}

function accountsIn(parameters: readonly FilterParameter[]): readonly string[] {
  return parameters.filter(([name]) => name === accountParameter).map(([, value]) => value)
}

async function choose(
  named: readonly string[],
  { principal, parameters }: AccountRead,
  engine: Pick<Engine, 'store' | 'catalogue'>,
): Promise<AccountRead> {
  const [id = ''] = named
  if (named.length > 1)
    throw invalidParameters([{ parameter: accountParameter, detail: 'must be given once' }])
  await checkAll([id], engine)
  return {
    principal: { ...principal, account: accountId(id) },
    parameters: parameters.filter(([name]) => name !== accountParameter),
  }
}

/** Accounts that a list may name: each takes a look-up. */
const namedMax = 100

/** Throws `invalid-parameter` unless all accounts exist. */
async function checkAll(
  named: readonly string[],
  { store, catalogue }: Pick<Engine, 'store' | 'catalogue'>,
): Promise<void> {
  const accounts = catalogue.find('accounts')?.declared
  if (accounts === undefined) return
  const errors = await store.read(defaultAccount, async (reader) => {
    const faults: InputError[] = []
    for (const id of new Set(named.slice(0, namedMax))) {
      if ((await reader.find(accounts, { id })) !== null) continue
      const detail = `names ${JSON.stringify(id)}, and there is no such account`
      faults.push({ parameter: accountParameter, detail })
    }
    return faults
  })
  if (errors.length > 0) throw invalidParameters(errors)
}
