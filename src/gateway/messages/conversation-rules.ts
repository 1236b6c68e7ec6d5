import type { AccountReach } from '../../core/account.ts'
import type { Condition, Query } from '../../core/declaration/query.ts'
import type { Rules } from '../../core/declaration/rules.ts'
import type { QueryLimits } from '../../core/ports/query-limits.ts'
import { QueryTimeout, type Store, type Stored, type StoredPage } from '../../core/ports/store.ts'
import { messages } from '../../collections/messages.ts'
import { invalidParameters } from '../../core/problem.ts'
import { between, conversationOf, keyOf } from './conversation.ts'

/** Messages of one read, and those examined for one page: more would occupy the process for too long. */
const pieceMax = 200
const examinedMax = 10_000

const newestFirst = [{ path: ['id'], direction: 'desc' }] as const
const oldestFirst = [{ path: ['id'], direction: 'asc' }] as const

/** Dependencies and request of a page of conversations. */
interface Source {
  readonly store: Store
  readonly reach: AccountReach
  readonly query: Query
  readonly limits: QueryLimits
}

/** Rules of conversations: they are computed from the messages, the newest first. */
export function conversationRules(store: Store): Rules {
  return {
    page: async (reach, query, limits) => {
      checkQuery(query)
      const source: Source = { store, reach, query, limits }
      const { start, limit } = query
      const isBack = query.sort[0]?.direction === 'asc'
      if (isBack && 'after' in start) return pageBefore(source, String(start.after[0]))
      const skipped = 'offset' in start ? start.offset : 0
      const page = await scan(source, 'after' in start ? String(start.after[0]) : null, (found) => {
        return found.length >= skipped + limit
      })
      return { ...page, instances: page.instances.slice(skipped, skipped + limit) }
    },
  }
}

/** Refuses a query that would need all messages. */
function checkQuery({ conditions, sort, start }: Query): void {
  const [first] = sort
  // Only a cursor leads back.
  const isBack = first?.direction === 'asc' && 'offset' in start
  if (first?.path.join('.') !== 'id' || isBack) {
    const detail = 'is not offered by conversations: the newest come first'
    throw invalidParameters([{ parameter: 'sort', detail }])
  }
  const others = conditions.filter(({ path, operator }) => {
    const name = `${path.join('.')} ${operator}`
    return !['counterpart eq', 'address eq', 'createdAt gte'].includes(name)
  })
  if (others.length === 0) return
  throw invalidParameters(
    others.map(({ path, operator }) => ({
      parameter: `${path.join('.')}${operator === 'eq' ? '' : `_${operator}`}`,
      detail: 'is no filter of conversations: use counterpart, address or createdAt_gte',
    })),
  )
}

/** Returns the conversations just before a message of the list, nearest first. */
async function pageBefore(source: Source, before: string): Promise<StoredPage> {
  const isReached = (_: readonly Stored[], last: string): boolean => last <= before
  const { instances, examinedTo } = await scan(source, null, isReached)
  if (examinedTo !== null && String(examinedTo[0]) > before) throw new QueryTimeout()
  const nearest = instances.filter(({ id }) => id > before).toReversed()
  return { instances: nearest.slice(0, source.query.limit), examinedTo: null }
}

/**
 * Examines messages from the newest on, or after one of them, until enough conversations are found. Each is
 * stored under the identifier of its last message, at which a list continues.
 */
async function scan(
  source: Source,
  after: string | null,
  isEnough: (found: readonly Stored[], last: string) => boolean,
): Promise<StoredPage> {
  const { limits } = source
  const found: Stored[] = []
  const seen = new Set<string>()
  let last = after
  const partial = (): StoredPage => {
    if (!limits.mayBePartial || last === null || last === after) throw new QueryTimeout()
    return { instances: found, examinedTo: [last] }
  }
  for (let examined = 0; ;) {
    const isOver = examined >= examinedMax || limits.remainingMs() <= 0
    if (isOver || limits.signal().aborted) return partial()
    const piece = await pieceOf(source, after, last, seen).catch(unlessOver)
    if (piece === null) return partial()
    for (const stored of piece.fresh.values()) found.push(conversationOf(stored))
    for (const key of [...piece.fresh.keys(), ...piece.known]) seen.add(key)
    examined += pieceMax
    if (piece.end === null) return { instances: found, examinedTo: null }
    last = piece.end
    if (isEnough(found, last)) return { instances: found, examinedTo: null }
  }
}

function unlessOver(error: unknown): null {
  if (error instanceof QueryTimeout) return null
  throw error
}

/** A part of the messages that a page examines. */
interface ExaminedPiece {
  /** The last messages of the conversations in it that were not found before, by their names. */
  readonly fresh: ReadonlyMap<string, Stored>
  /** The conversations that an earlier page has. */
  readonly known: readonly string[]
  /** The last message of the piece; null after the last piece. */
  readonly end: string | null
}

async function pieceOf(
  source: Source,
  after: string | null,
  last: string | null,
  seen: ReadonlySet<string>,
): Promise<ExaminedPiece> {
  const piece = await read(source, { sort: newestFirst, after: last, conditions: [] })
  const fresh = firstOfEach(piece.instances, seen)
  const known = after === null ? [] : await continued(source, after, fresh)
  for (const key of known) fresh.delete(key)
  return { fresh, known, end: endOf(piece) }
}

/** Returns the last message examined; null after the last piece. */
function endOf({ instances, examinedTo }: StoredPage): string | null {
  if (examinedTo !== null) return String(examinedTo[0])
  return instances.length < pieceMax ? null : (instances.at(-1)?.id ?? null)
}

/** Returns the first message of each conversation that was not seen before. */
function firstOfEach(instances: readonly Stored[], seen: ReadonlySet<string>): Map<string, Stored> {
  const first = new Map<string, Stored>()
  for (const stored of instances) {
    const key = keyOf(stored)
    if (key !== null && !seen.has(key) && !first.has(key)) first.set(key, stored)
  }
  return first
}

/** Returns those of some conversations that have a message after `since`: an earlier page has them. */
async function continued(
  source: Source,
  since: string,
  candidates: ReadonlyMap<string, Stored>,
): Promise<readonly string[]> {
  const left = new Map(candidates)
  const known = new Set<string>()
  for (let after: string | null = since; left.size > 0 && after !== null;) {
    const counterparts = [...left.values()].map((stored) => conversationOf(stored).counterpart)
    const only: Condition = { path: ['counterpart'], operator: 'eq', values: counterparts }
    const piece = await read(source, { sort: oldestFirst, after, conditions: [only] })
    for (const stored of piece.instances) {
      const key = keyOf(stored)
      if (key !== null && left.delete(key)) known.add(key)
    }
    after = endOf(piece)
  }
  return [...known]
}

/** A read of messages, in one direction. */
interface Piece {
  readonly sort: typeof newestFirst | typeof oldestFirst
  readonly after: string | null
  readonly conditions: readonly Condition[]
}

function read(
  { store, reach, query, limits }: Source,
  { sort, after, conditions }: Piece,
): Promise<StoredPage> {
  const asked = {
    ...between([...query.conditions, ...conditions]),
    searchTerms: [],
    sort,
    start: after === null ? { offset: 0 } : { after: [after] },
    limit: pieceMax,
  }
  return store.page(reach, messages, null, asked, { ...limits, mayBePartial: true })
}
