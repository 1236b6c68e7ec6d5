import { SerializationConflict } from '../../sql/work.ts'
import type { PoolClient } from 'pg'
import type { SqlParameter } from '../../sql/connection.ts'
import type { Prepared, SetForm, SetResult } from './set-form.ts'
import type { Sets } from './sets.ts'
import type { Statements } from '../connection/statements.ts'

/** Sends the statements of a transaction. */
export interface GroupSender {
  send(sql: string, params: readonly SqlParameter[]): Promise<SetResult>
  /** Sends a statement that keeps its place: after all earlier ones, before all later ones. */
  sendApart(sql: string): Promise<SetResult>
  isBegun(): boolean
  /** Refuses all further statements. */
  end(): void
}

/** A statement before it is sent. */
interface Asked {
  readonly sql: string
  readonly params: readonly SqlParameter[]
  readonly isApart: boolean
  answer(answer: SetResult): void
  refuse(error: unknown): void
}

/** Maximum of parameter sets in a statement. */
const setMax = 256

/**
 * Sends the statements of one turn together, without waiting for earlier results. Statements with the same
 * text that may run in sets become one.
 */
export function senderOn(
  client: PoolClient,
  statements: Statements,
  beginning: string | null,
): GroupSender {
  const line = lineOn(client, statements, beginning)
  let over = false
  let asked: Asked[] = []

  const flush = (): void => {
    const all = asked
    asked = []
    corked(client, () => {
      for (const together of gathered(all, statements.sets)) {
        sendAll(line, together, client, statements)
      }
    })
  }
  const ask = (sql: string, params: readonly SqlParameter[], isApart: boolean) => {
    if (over) return Promise.reject(new Error(isOver))
    return new Promise<SetResult>((answer, refuse) => {
      asked.push({ sql, params, isApart, answer, refuse })
      // After the continuations of all results received by now.
      if (asked.length === 1) process.nextTick(flush)
    })
  }

  return {
    send: (sql, params) => ask(sql, params, false),
    sendApart: (sql) => ask(sql, [], true),
    isBegun: line.isBegun,
    end: () => {
      over = true
      flush()
    },
  }
}

/** Collects the octets of `write`, and sends them to the network in one piece. */
function corked(client: PoolClient, write: () => void): void {
  const { connection }: { connection?: { stream?: { cork?(): void; uncork?(): void } } } =
    Object(client)
  connection?.stream?.cork?.()
  write()
  connection?.stream?.uncork?.()
}

const isOver = 'this transaction is over: await everything inside it'

/** The statements of a client, in their order. */
interface Line extends Pick<GroupSender, 'isBegun'> {
  sendOne(one: Asked): void
  sendSet(all: readonly Asked[], form: SetForm): void
}

function sendAll(
  line: Line,
  all: readonly Asked[],
  client: PoolClient,
  { sets }: Statements,
): void {
  const [first] = all
  if (first === undefined) return
  if (all.length === 1) return line.sendOne(first)
  const form = sets.of(first.sql)
  if (form !== null) return sendSets(line, inOrder(all, form), form)
  for (const one of all) line.sendOne(one)
  // Outside a transaction a pooler may send each statement to another connection.
  if (line.isBegun()) sets.learn(first.sql, client)
}

function sendSets({ sendOne, sendSet }: Line, all: readonly Asked[], form: SetForm): void {
  for (let left = all; left.length > 0;) {
    const count = form.together(left.length)
    const [first] = left
    if (count === 1 && first !== undefined) sendOne(first)
    else sendSet(left.slice(0, count), form)
    left = left.slice(count)
  }
}

function lineOn(client: PoolClient, statements: Statements, beginning: string | null): Line {
  let begun = false

  const query = async (text: Prepared, values: readonly SqlParameter[]) => {
    const { rows, rowCount } = await client.query<unknown[]>({
      ...text,
      values: [...values],
      rowMode: 'array',
    })
    return { rows, count: rowCount ?? 0 }
  }
  const begin = (): void => {
    if (begun || beginning === null) return
    quietly(client.query(beginning))
    begun = true
  }
  return {
    sendOne: ({ sql, params, answer, refuse }) => {
      begin()
      query(statements.prepare(sql), params).then(answer, refuse)
    },
    sendSet: (all, form) => {
      begin()
      const values = form.values(all.map(({ params }) => params))
      query(form.prepared(all.length), values).then(
        ({ rows, count }) => answerAll(all, form.answers(rows, count, all.length)),
        (error: unknown) => {
          for (const { refuse } of all) refuse(error)
        },
      )
    },
    isBegun: () => begun,
  }
}

/** If results cannot be assigned to their sets, each set needs a separate statement. */
function answerAll(all: readonly Asked[], answers: readonly SetResult[] | null): void {
  for (const [index, { answer, refuse }] of all.entries()) {
    const own = answers?.[index]
    if (own === undefined) refuse(new SerializationConflict())
    else answer(own)
  }
}

/**
 * Groups the statements that become one, in the order of the first with each text. Those of several slices follow in
 * the order of the slices, so that transactions lock in one order.
 */
function gathered(asked: readonly Asked[], { sliceOf }: Sets): readonly (readonly Asked[])[] {
  const all: Map<string, Asked[]>[] = []
  let open = new Map<string, Map<string, Asked[]>>()
  for (const one of asked) {
    if (one.isApart) open = new Map()
    const slice = one.isApart ? null : sliceOf(one.sql, one.params)
    const found = open.get(one.sql)
    const together = found?.get(slice ?? '')
    if (found !== undefined && slice !== null && (together?.length ?? 0) < setMax) {
      if (together === undefined) found.set(slice, [one])
      else together.push(one)
      continue
    }
    const first = new Map([[slice ?? '', [one]]])
    all.push(first)
    if (slice !== null) open.set(one.sql, first)
  }
  return all.flatMap(inOrderOfSlices)
}

function inOrderOfSlices(groups: ReadonlyMap<string, Asked[]>): readonly (readonly Asked[])[] {
  if (groups.size === 1) return [...groups.values()]
  return [...groups].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, own]) => own)
}

/** Sorts sets by the rows that they name, which makes deadlocks rare. */
function inOrder(all: readonly Asked[], { keyFrom }: SetForm): readonly Asked[] {
  return all.toSorted((one, other) => {
    for (const at of [keyFrom, keyFrom + 1, keyFrom + 2]) {
      const [a, b] = [one.params[at] ?? null, other.params[at] ?? null]
      if (a !== null && b !== null && a !== b) return a < b ? -1 : 1
    }
    return 0
  })
}

/** If this fails, all later statements fail too. */
export function quietly(sent: Promise<unknown>): void {
  sent.catch(() => {})
}
