import { defaultAccount, type AccountId } from '../../core/account.ts'
import type { Instant } from '../../core/ports/clock.ts'
import type { Condition } from '../../core/declaration/query.ts'
import { where, type Transaction } from '../../core/ports/store.ts'
import { timestamp } from '../../core/timestamp.ts'
import { broadcastWork, type BroadcastWork } from '../../collections/broadcast-work.ts'

/** The broadcast of a work item. */
export interface WorkKey {
  readonly account: AccountId
  readonly broadcast: string
}

/** Stores work for a broadcast, and replaces earlier work. */
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

/** The state of work without owner or failure. */
const free = { holder: null, heldUntil: 0, failures: 0 }

/** Ends the work for a broadcast. */
export async function endWork(transaction: Transaction, key: WorkKey): Promise<void> {
  await transaction.in(defaultAccount).remove(broadcastWork, { id: idOf(key) })
}

/** The work that a node can do now, or the time of its next attempt. */
export interface DueWork {
  readonly work: BroadcastWork | null
  readonly nextAt: Instant | null
}

/** Returns due work that no other node owns, the least recently served first: broadcasts alternate. */
export async function dueWork(
  transaction: Transaction,
  holder: string,
  now: Instant,
): Promise<DueWork> {
  const due = await workWhere(transaction, { operator: 'lte', values: [now] }, lookedAtMax)
  const free = due.find((work) => work.holder === holder || work.heldUntil <= now)
  if (free !== undefined) return { work: free, nextAt: null }
  const [next] = await workWhere(transaction, { operator: 'gt', values: [now] }, 1)
  const times = [...due.map(({ heldUntil }) => heldUntil), ...(next ? [next.dueAt] : [])]
  return { work: null, nextAt: times.length === 0 ? null : Math.min(...times) }
}

/** Leases work to a node, which continues it at `dueAt`. */
export async function holdWork(
  transaction: Transaction,
  work: BroadcastWork,
  held: Pick<BroadcastWork, 'holder' | 'heldUntil' | 'dueAt' | 'failures'>,
): Promise<void> {
  const { id } = work
  await transaction.in(defaultAccount).save(broadcastWork, { id }, { ...work, ...held }, null)
}

/** Returns a work item as it is now; null if it has ended. */
export async function findWork(
  transaction: Transaction,
  { id }: BroadcastWork,
): Promise<BroadcastWork | null> {
  const stored = await transaction.in(defaultAccount).find(broadcastWork, { id })
  return stored === null ? null : (JSON.parse(stored.doc) as BroadcastWork)
}

/** Releases all work of a node. */
export async function releaseWork(transaction: Transaction, holder: string): Promise<void> {
  const all = await workWhere(transaction, { operator: 'gte', values: [0] }, lookedAtMax)
  for (const work of all.filter((each) => each.holder === holder)) {
    const { dueAt, failures } = work
    await holdWork(transaction, work, { holder: null, heldUntil: 0, dueAt, failures })
  }
}

/** The most rows read to find work that no other node owns. */
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

/** Returns the identifier of a work item. Its parts contain no slash. */
function idOf({ account, broadcast }: WorkKey): string {
  return `${account}/${broadcast}`
}
