import type { Row, SqlParameter } from '../../sql/connection.ts'
import { inSets } from '../../sql/fragment.ts'
import { numberIn } from '../../sql/rows/row.ts'
import { binaryArray } from '../connection/binary-array.ts'

/** A statement as it is sent; the server does not store one without a name. */
export interface Prepared {
  readonly text: string
  readonly name?: string
}

/** The result of a statement: its rows, and the number of rows that it read or wrote. */
export interface SetResult {
  readonly rows: readonly Row[]
  readonly count: number
}

/** Parameters of one use of a statement. */
export type ParamSet = readonly SqlParameter[]

/** A statement in its form for many sets of parameters. */
export interface SetForm {
  /** The first of the parameters that name the row. */
  readonly keyFrom: number
  /** How many of some sets go into the next statement. */
  together(left: number): number
  prepared(count: number): Prepared
  values(all: readonly ParamSet[]): readonly SqlParameter[]
  /** Assigns rows to their sets; null if the server does not identify the sets. */
  answers(rows: readonly Row[], count: number, asked: number): readonly SetResult[] | null
}

/** A statement, with the types of its parameters. */
export interface Typed {
  readonly sql: string
  readonly types: readonly string[]
  readonly prepare: (sql: string) => Prepared
}

/** Makes the form where one server has all rows: each parameter becomes an array. */
export function setForm({ sql, types, prepare }: Typed): SetForm {
  const body = bodyOf(sql)
  const prepared = prepare(textOf(body, types))
  return {
    keyFrom: body.startsWith('update') ? marksIn(body.split(/\swhere\s/)[0] ?? '') : 0,
    together: (left) => left,
    prepared: () => prepared,
    values: (all) => types.map((type, index) => binaryArray(type, columnOf(all, index))),
    answers: body.startsWith('insert') ? ofInsertion : byNumber,
  }
}

/**
 * Makes the form where a statement must concern one slice, and all its sets do. The condition on the cell names their
 * cells apart from the arrays, since Citus finds a slice by values alone; and it does not route the insertion of what a
 * query returns, so rows are inserted as lists of values.
 */
export function sliceForm(typed: Typed): SetForm {
  const body = bodyOf(typed.sql)
  if (body.startsWith('insert')) return valuesForm(body, typed.prepare)
  const form = setForm({ ...typed, prepare: (text) => typed.prepare(narrowed(text)) })
  const cellAt = cellMarkOf(body)
  if (cellAt === null) return form
  const conditions = body.match(cellIsGiven)?.length ?? 0
  return {
    ...form,
    values: (all) => {
      const cells = binaryArray('smallint', [...new Set(columnOf(all, cellAt))])
      return [...form.values(all), ...Array<SqlParameter>(conditions).fill(cells)]
    },
  }
}

const cellIsGiven = /\bcell = \?/g
const cellIsOfSet = /((?:\w+\.)?\bcell) = (?:p\.c\d+|any\(array\[p\.c\d+\]\))/g

function narrowed(text: string): string {
  return text.replace(cellIsOfSet, '$& and $1 = any(?::smallint[])')
}

/** Maximum of rows that one statement lists. */
const rowsMax = 64

/** Inserts as many rows as a power of two, so that few texts arise. */
function valuesForm(body: string, prepare: Typed['prepare']): SetForm {
  return {
    keyFrom: 0,
    together: (left) => 2 ** Math.floor(Math.log2(Math.min(left, rowsMax))),
    prepared: (count) =>
      prepare(
        body.replace(
          valuesOfRow,
          (_, row: string) => `values ${Array(count).fill(row).join(', ')}`,
        ),
      ),
    values: (all) => all.flat(),
    answers: ofInsertion,
  }
}

const valuesOfRow = /values (\([^)]*\))/

function bodyOf(sql: string): string {
  return sql.trim().slice(inSets.length).trim()
}

/** Statements on tables that run empty, so that PostgreSQL may take statistics of them when they are. */
const onQueue = /^(?:update|delete from) (?:submissions|receipts) /

/**
 * Numbers the given rows, so that results can be assigned to them. Each set has to be looked up by its key. After
 * statistics of a table that ran empty, PostgreSQL would rather walk all of its index and compare each row with
 * each set: a query cannot be taken apart at `offset`, and `any` cannot be taken for an order to walk in.
 */
function textOf(sql: string, types: readonly string[]): string {
  let count = 0
  const given = sql.replace(/\?/g, () => `p.c${(count += 1)}`)
  const body = onQueue.test(given) ? given.replace(keyOfSet, '$1 = any(array[$2])') : given
  const names = types.map((_, index) => `c${index + 1}`).join(', ')
  const arrays = types.map((type) => `?::${type}[]`).join(', ')
  const sets = `unnest(${arrays}) with ordinality as p (${names}, n)`
  const verb = /^\w+/.exec(body)?.[0]
  switch (verb) {
    case 'select':
      return `select p.n, q.* from ${sets} cross join lateral (${body} offset 0) as q`
    case 'insert':
      return body.replace(/values \(([^)]*)\)/, `select $1 from ${sets} order by p.n`)
    case 'update':
      return body.replace(/\swhere\s/, ` from ${sets} where `).concat(' returning p.n')
    case 'delete':
      return body.replace(/\swhere\s/, ` using ${sets} where `).concat(' returning p.n')
    default:
      throw new Error(`${verb} is not run in sets`)
  }
}

/** The columns that lead indexes, compared with a set. */
const keyOfSet = /\b(cell|carrier) = (p\.c\d+)/g

function marksIn(text: string): number {
  return text.split('?').length - 1
}

function columnOf(all: readonly ParamSet[], index: number): ParamSet {
  return all.map((one) => one[index] ?? null)
}

/** An insertion does not report which of its rows existed. */
function ofInsertion(_: readonly Row[], count: number, asked: number): readonly SetResult[] | null {
  if (count !== asked) return null
  return Array.from({ length: asked }, () => ({ rows: [], count: 1 }))
}

function byNumber(rows: readonly Row[], _: number, asked: number): readonly SetResult[] {
  const found: Row[][] = Array.from({ length: asked }, () => [])
  for (const [number, ...row] of rows) found[numberIn(number) - 1]?.push(row)
  return found.map((own) => ({ rows: own, count: own.length }))
}

const insertion = /\binsert into [^(]*\(([^)]*)\)\s*values \(([^)]*)\)/

/** Returns which parameter of a statement is the cell; null if none is. */
export function cellMarkOf(sql: string): number | null {
  const [, columns, values] = insertion.exec(sql) ?? []
  if (columns !== undefined && values !== undefined) {
    const at = columns.split(',').findIndex((column) => column.trim() === 'cell')
    return at === -1 ? null : marksIn(values.split(',').slice(0, at).join())
  }
  const at = sql.search(/\bcell = \?/)
  return at === -1 ? null : marksIn(sql.slice(0, at))
}
