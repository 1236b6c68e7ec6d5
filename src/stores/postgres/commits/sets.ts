import type { PoolClient } from 'pg'
import type { Row, SqlValue } from '../../sql/connection.ts'
import { inSets } from '../../sql/lists/in-sets.ts'
import { numberIn, textIn } from '../../sql/rows/row.ts'
import type { Prepared } from '../connection/prepared.ts'

/** The result of a statement: its rows, and the number of rows that it read or wrote. */
export interface SetResult {
  readonly rows: readonly Row[]
  readonly count: number
}

/** A statement in its form for many sets of parameters. */
export interface SetForm {
  readonly prepared: Prepared
  /** The first of the parameters that name the row. */
  readonly keyFrom: number
  /** One array for each parameter, as PostgreSQL writes it. */
  values(all: readonly (readonly SqlValue[])[]): readonly string[]
  /** Assigns rows to their sets; null if the server does not identify the sets. */
  answers(rows: readonly Row[], count: number, asked: number): readonly SetResult[] | null
}

/** The forms of statements that may run in sets. */
export interface Sets {
  /** Returns the form; null if the statement may not run in sets, or if its form is not known yet. */
  of(sql: string): SetForm | null
  /** Asks the server for the types of the parameters, within a transaction. */
  learn(sql: string, client: PoolClient): void
}

/** Remembers the form of each statement. `prepare` names statements. */
export function sets(prepare: (sql: string) => Prepared): Sets {
  const known = new Map<string, SetForm | null>()
  let probes = 0
  return {
    of: (sql) => known.get(sql) ?? null,
    learn: (sql, client) => {
      if (known.has(sql)) return
      // One request at a time asks the server.
      known.set(sql, null)
      probes += 1
      const probe = `nuncio_types_${probes}`
      const ask = async (): Promise<void> => {
        const [, found] = await Promise.all([
          client.query(`prepare ${probe} as ${prepare(sql).text}`),
          client.query<unknown[]>({ text: typesOf, values: [probe], rowMode: 'array' }),
          client.query(`deallocate ${probe}`),
        ])
        const types = found.rows.map(([type]) => textIn(type))
        known.set(sql, setForm(sql, types, prepare))
      }
      void ask().catch(() => known.delete(sql))
    },
  }
}

/** Allows no sets. */
export const noSets: Sets = { of: () => null, learn: () => {} }

/** Returns true for the text of a statement that may run in sets. */
export function isInSets(sql: string): boolean {
  return sql.trimStart().startsWith(inSets)
}

const typesOf = `
  select format_type(type, null) from pg_prepared_statements,
    unnest(parameter_types::oid[]) with ordinality as of (type, place)
  where name = $1 order by place`

function setForm(
  sql: string,
  types: readonly string[],
  prepare: (sql: string) => Prepared,
): SetForm {
  const text = textOf(sql.trim().slice(inSets.length).trim(), types)
  return {
    prepared: prepare(text),
    keyFrom: /^update\b/.test(text) ? marksIn(sql.split(/\swhere\s/)[0] ?? '') : 0,
    values: (all) => types.map((_, index) => arrayOf(all, index)),
    answers: text.startsWith('insert') ? ofInsertion : byNumber,
  }
}

/** Numbers the given rows, so that results can be assigned to them. */
function textOf(sql: string, types: readonly string[]): string {
  let count = 0
  const body = sql.replace(/\?/g, () => `p.c${(count += 1)}`)
  const names = types.map((_, index) => `c${index + 1}`).join(', ')
  const arrays = types.map((type) => `?::${type}[]`).join(', ')
  const given = `unnest(${arrays}) with ordinality as p (${names}, n)`
  const verb = /^\w+/.exec(body)?.[0]
  switch (verb) {
    case 'select':
      return `select p.n, q.* from ${given} cross join lateral (${body}) as q`
    case 'insert':
      return body.replace(/values \(([^)]*)\)/, `select $1 from ${given} order by p.n`)
    case 'update':
      return body.replace(/\swhere\s/, ` from ${given} where `).concat(' returning p.n')
    case 'delete':
      return body.replace(/\swhere\s/, ` using ${given} where `).concat(' returning p.n')
    default:
      throw new Error(`${verb} is not run in sets`)
  }
}

function marksIn(text: string): number {
  return text.split('?').length - 1
}

function arrayOf(all: readonly (readonly SqlValue[])[], index: number): string {
  return `{${all.map((values) => literal(values[index] ?? null)).join(',')}}`
}

function literal(value: SqlValue): string {
  if (value === null) return 'NULL'
  if (typeof value === 'number') return String(value)
  return `"${value.replace(/["\\]/g, '\\$&')}"`
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
