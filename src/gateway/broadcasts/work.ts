import { defaultAccount, type AccountId } from '../../core/account.ts'
import type { Instant } from '../../core/ports/clock.ts'
import type { Condition } from '../../core/declaration/query.ts'
import { where, type Transaction } from '../../core/ports/store.ts'
import { timestamp } from '../../core/timestamp.ts'
import { broadcastWork, type BroadcastWork } from '../../collections/broadcast-work.ts'

/** Of which broadcast. */
export interface WorkKey {
  readonly account: AccountId
  readonly broadcast: string
}

/** Puts work for a broadcast in, in place of what there is. */
export async function putWork(
  transaction: Transaction,
  { account, broadcast }: WorkKey,
  { task, dueAt }: Pick<BroadcastWork, 'task' | 'dueAt'>,
  now: Instant,
): Promise<void> {
  const id = idOf({ account, broadcast })
  const date = timestamp(now)
  const work = { id, account, broadcast, task, dueAt, ...free }
  const instance = { ...work, createdAt: date, updatedAt: date }
  await transaction.in(defaultAccount).save(broadcastWork, { id }, instance, null)
}

/** Nobody serves it, and nothing has failed. */
const free = { holder: null, heldUntil: 0, failures: 0 }

/** Takes the work for a broadcast away. */
export async function endWork(transaction: Transaction, key: WorkKey): Promise<void> {
  await transaction.in(defaultAccount).remove(broadcastWork, { id: idOf(key) })
}

/** What a node can do now, or when it is to look again. */
export interface Due {
  readonly work: BroadcastWork | null
  readonly nextAt: Instant | null
}

/**
 * The work that was served longest ago, of what is due and no other node holds. Broadcasts have their
 * turns one after the other.
 */
export async function dueWork(
  transaction: Transaction,
  holder: string,
  now: Instant,
): Promise<Due> {
  const due = await workWhere(transaction, { operator: 'lte', values: [now] }, lookedAtMax)
  const free = due.find((work) => work.holder === holder || work.heldUntil <= now)
  if (free !== undefined) return { work: free, nextAt: null }
  const [next] = await workWhere(transaction, { operator: 'gt', values: [now] }, 1)
  const times = [...due.map(({ heldUntil }) => heldUntil), ...(next ? [next.dueAt] : [])]
  return { work: null, nextAt: times.length === 0 ? null : Math.min(...times) }
}

/** Holds work for a node, which goes on with it at `dueAt`. */
export async function holdWork(
  transaction: Transaction,
  work: BroadcastWork,
  held: Pick<BroadcastWork, 'holder' | 'heldUntil' | 'dueAt' | 'failures'>,
): Promise<void> {
  const { id } = work
  await transaction.in(defaultAccount).save(broadcastWork, { id }, { ...work, ...held }, null)
}

/** Work as it is now; null where it is ended. */
export async function findWork(
  transaction: Transaction,
  { id }: BroadcastWork,
): Promise<BroadcastWork | null> {
  const stored = await transaction.in(defaultAccount).find(broadcastWork, { id })
  return stored === null ? null : (JSON.parse(stored.doc) as BroadcastWork)
}

/** Lets go of all that a node holds. */
export async function releaseWork(transaction: Transaction, holder: string): Promise<void> {
  const all = await workWhere(transaction, { operator: 'gte', values: [0] }, lookedAtMax)
  for (const work of all.filter((each) => each.holder === holder)) {
    const { dueAt, failures } = work
    await holdWork(transaction, work, { holder: null, heldUntil: 0, dueAt, failures })
  }
}

/** The most that is looked at to find something that nobody else holds. */
const lookedAtMax = 100

async function workWhere(
  transaction: Transaction,
  due: Pick<Condition, 'operator' | 'values'>,
  limit: number,
): Promise<readonly BroadcastWork[]> {
  const query = where([{ path: ['dueAt'], ...due }], limit)
  const sort = [{ path: ['dueAt'], direction: 'asc' }, ...query.sort] as const
  const found = await transaction.in(defaultAccount).list(broadcastWork, null, { ...query, sort })
  return found.map(({ doc }) => JSON.parse(doc) as BroadcastWork)
}

/** No identifier has a slash in it. */
function idOf({ account, broadcast }: WorkKey): string {
  return `${account}/${broadcast}`
}
