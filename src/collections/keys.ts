import { collection, type HiddenOf, type InstanceOf } from '../core/declaration/collection.ts'
import { defaultAccount, type AccountId, covers, isAdministrator } from '../core/account.ts'
import { type AccountLimits, countExactly, limitReached } from '../core/account-limits.ts'
import { accounts, limitsOfAccount } from './accounts.ts'
import { array, text, timestampField } from '../core/declaration/field.ts'
import type { Clock, Instant } from '../core/ports/clock.ts'
import type { JsonObject } from '../core/json.ts'
import { keyDigest, newKeySecret } from '../core/secrets.ts'
import { didYouMean } from '../core/declaration/nearest.ts'
import { invalidBody, Problem, type InputError } from '../core/problem.ts'
import type { Random } from '../core/ports/random.ts'
import type { Change, Principal, Rules } from '../core/declaration/rules.ts'
import { where, type Stored, type Transaction, type Writer } from '../core/ports/store.ts'
import { parseTimestamp } from '../core/timestamp.ts'

const scopePattern = '^(\\*|admin|(\\*|[A-Za-z][A-Za-z0-9]*):(read|write))$'
const scopeForm =
  'the name of a collection with :read or :write, such as messages:read, or *:read, *:write, * or admin'

/** An API key. Its secret is shown once, in the answer that made it; the store has its digest only. */
export const keys = collection({
  name: 'keys',
  noun: 'key',
  description: 'An API key. Only the response that creates it contains its secret.',
  searchedBy: ['name'],
  owned: true,
  audited: true,
  fields: {
    name: text({ maxLength: 200, nullable: true, description: 'Name.' }),
    scopes: array(text({ pattern: scopePattern, form: scopeForm }), {
      required: true,
      minItems: 1,
      maxItems: 100,
      uniqueItems: true,
      description: 'Rights: `messages:read`, `messages:write`, `*:read`, `*`, `admin`.',
    }),
    account: text({
      nullable: true,
      indexed: true,
      maxLength: 64,
      description:
        'Its account; null: the caller’s. Only an administrator may name another account.',
    }),
    expiresAt: timestampField({ nullable: true, description: 'When it stops working.' }),
    lastUsedAt: timestampField({
      live: true,
      readOnly: true,
      nullable: true,
      description: 'When it was last used, to the minute.',
    }),
    digest: text({ internal: true, indexed: true }),
    usedAt: timestampField({ internal: true, nullable: true }),
  },
})

/** A key as it is served. */
export type ApiKey = InstanceOf<typeof keys>

/** Fields of a key that are stored and never shown: the digest of its secret and its last use. */
export type HiddenKey = HiddenOf<typeof keys>

/** Names that scopes can use: collections, and read-only views. */
export interface ScopeNames {
  readonly collections: readonly string[]
  readonly onlyRead: readonly string[]
}

/**
 * The rules of keys: a secret is made with the key, and no key makes one that may do more. `names`
 * are what scopes can have before the colon; `configured` are the limits of accounts that set none;
 * `scopeUp` says what a scope is called now.
 */
export function keyRules(
  random: Random,
  names: ScopeNames,
  configured: AccountLimits,
  scopeUp: (scope: string) => string = (scope) => scope,
): Rules {
  return {
    faults: async (change, { clock }) => faults(change, names, clock.now()),
    write: async (change, { principal, clock, writer, transaction }) => {
      const { id, account, scopes } = change.after as ApiKey
      checkReach(principal, change.before, scopeUp)
      const errors = faults(change, names, clock.now())
      if (errors.length > 0) throw invalidBody(errors)
      checkScopes(principal, scopes.map(scopeUp))
      const owner = account ?? String(change.before?.['account'] ?? writer.account)
      if (owner !== writer.account) {
        throw new Problem('conflict', 'A key stays with its account. Make a new key instead.')
      }
      const expiresAt = ruledExpiry(change, principal, writer.account)
      const instance = { ...change.after, account: owner, expiresAt }
      if (change.before !== null) {
        const { scopes: held } = change.before as ApiKey
        const stepsDown = isAdministrator(held) && !isAdministrator(scopes)
        if (stepsDown) await checkNotLast({ id, account: writer.account }, transaction, clock)
        return { instance, hidden: change.hiddenAfter }
      }
      await checkCount(writer, transaction, configured)
      const secret = newKeySecret(id, random)
      return { instance, hidden: { digest: keyDigest(secret) }, reveal: { secret } }
    },
    remove: async ({ doc, id, account }, { principal, transaction, clock }) => {
      const key: ApiKey = JSON.parse(doc)
      checkReach(principal, key, scopeUp)
      if (isAdministrator(key.scopes)) await checkNotLast({ id, account }, transaction, clock)
    },
    live: async (stored) =>
      stored.map(({ hidden }) => {
        const { usedAt = null }: HiddenKey = JSON.parse(hidden ?? '{}')
        return { lastUsedAt: usedAt }
      }),
  }
}

/**
 * A key may repeat its stored scopes and expiry, even if a collection was removed or the time
 * passed.
 */
function faults({ before, after }: Change, names: ScopeNames, now: Instant): readonly InputError[] {
  const { scopes = [], expiresAt = null } = after as Partial<ApiKey>
  const { scopes: held = [], expiresAt: known = null } = (before ?? {}) as Partial<ApiKey>
  const errors = scopes.flatMap((scope, index): readonly InputError[] => {
    const detail = held.includes(scope) ? null : scopeFault(scope, names)
    return detail === null ? [] : [{ pointer: `/scopes/${index}`, detail }]
  })
  const ends = expiresAt === null || expiresAt === known ? Infinity : parseTimestamp(expiresAt)
  if ((ends ?? 0) > now) return errors
  return [...errors, { pointer: '/expiresAt', detail: 'must be in the future' }]
}

/** Returns why a scope of the right form names nothing; null if it names something. */
export function scopeFault(scope: string, { collections, onlyRead }: ScopeNames): string | null {
  const [name = '', access] = scope.split(':')
  if (access === undefined || name === '*' || collections.includes(name)) return null
  if (onlyRead.includes(name)) {
    return access === 'read' ? null : `is no scope: ${name} are only read, by ${name}:read`
  }
  const detail = `names ${JSON.stringify(name)}, and there is no such collection.`
  return detail + didYouMean(name, [...collections, ...onlyRead])
}

function checkScopes(principal: Principal, scopes: readonly string[]): void {
  const wider = scopes.find((scope) => !covers(principal.scopes, scope))
  if (wider === undefined) return
  throw new Problem('forbidden', `Your key does not have the scope ${wider}, so it cannot give it.`)
}

/**
 * Returns the expiry of a key after a change: a new one of a key that expires ends with it, if it names no
 * time. Throws `forbidden` if it would outlive its maker, or prolongs the key that asks.
 */
function ruledExpiry(
  { before, after }: Change,
  principal: Principal,
  account: AccountId,
): string | null {
  const { id, expiresAt } = after as ApiKey
  const known = before === null ? undefined : (before as ApiKey).expiresAt
  if (expiresAt === known) return expiresAt
  const own = principal.expiresAt ?? null
  if (before === null && expiresAt === null) return own
  if (isLater(expiresAt, own)) {
    throw new Problem(
      'forbidden',
      `Your key expires at ${own}, so it cannot let a key live longer.`,
    )
  }
  const isOwn = before !== null && id === principal.keyId && account === principal.account
  if (isOwn && known !== undefined && isLater(expiresAt, known)) {
    throw new Problem('forbidden', 'A key cannot prolong itself.')
  }
  return expiresAt
}

/** Compares two expiries; null is never. */
function isLater(one: string | null, other: string | null): boolean {
  if (other === null) return false
  return one === null || one > other
}

/** A key neither changes nor revokes one that may do more than itself. */
function checkReach(
  principal: Principal,
  before: JsonObject | null,
  scopeUp: (scope: string) => string,
): void {
  if (before === null) return
  const { scopes } = before as ApiKey
  const wider = scopes.find((scope) => !covers(principal.scopes, scopeUp(scope)))
  if (wider === undefined) return
  throw new Problem('forbidden', `That key has the scope ${wider}, which yours does not have.`)
}

/** Throws `limit-reached` if the account of a new key has as many as it may. */
async function checkCount(
  writer: Writer,
  transaction: Transaction,
  configured: AccountLimits,
): Promise<void> {
  const { keys: maximum } = await limitsOfAccount(writer.account, transaction, configured)
  const count = await countExactly(writer, keys)
  if (count >= maximum) throw limitReached('keys', maximum)
}

/** Prevents a lockout: without a key of an administrator that works, no further one can be created. */
async function checkNotLast(
  removed: Pick<Stored, 'id' | 'account'>,
  transaction: Transaction,
  clock: Clock,
): Promise<void> {
  // Of two that are deleted at the same time, in any account, one must see that the other is gone.
  await transaction.in(defaultAccount).lock(keys, null)
  const found = await transaction.everywhere.list(
    keys,
    null,
    where(administrators, administratorsMax),
  )
  for (const { id, account, doc } of found) {
    if (id === removed.id && account === removed.account) continue
    if (works(JSON.parse(doc), clock) && (await isActive(account, transaction))) return
  }
  throw new Problem('conflict', 'It is the last key of an administrator. Make another one first.')
}

/** The keys of an account that is not active do not work. */
async function isActive(account: AccountId, transaction: Transaction): Promise<boolean> {
  if (account === defaultAccount) return true
  const found = await transaction.in(defaultAccount).find(accounts, { id: account })
  const { active }: { readonly active?: boolean } = JSON.parse(found?.doc ?? '{}')
  return active === true
}

const administrators = [{ path: ['scopes'], operator: 'eq', values: ['admin'] }] as const

/** More keys than this need not be looked at to find one that stays. */
const administratorsMax = 100

function works({ expiresAt }: ApiKey, clock: Clock): boolean {
  return expiresAt === null || (parseTimestamp(expiresAt) ?? 0) > clock.now()
}
