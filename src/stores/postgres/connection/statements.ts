import type { Prepared } from '../commits/set-form.ts'
import { type SliceName, type Sets, sets } from '../commits/sets.ts'

/** The statements of a store, as they are sent. */
export interface Statements {
  prepare(sql: string): Prepared
  /** The forms of statements for many sets of parameters. */
  readonly sets: Sets
}

/** More texts than the service has; the server stores the named ones for each connection. */
const namedMax = 400

/** Remembered without a name: preparing such a text again takes microseconds. */
const rememberedMax = 5000

/**
 * Numbers the parameters of statements, and names them so that the server prepares each once per
 * connection. If `named` is false, every statement is prepared each time, as a pooler needs that assigns
 * another connection to each transaction. `nameOf` is null where one server has all rows.
 */
export function statements(named: boolean, nameOf: SliceName | null): Statements {
  const prepare = preparing(named)
  return { prepare, sets: sets(prepare, nameOf) }
}

function preparing(named: boolean): Statements['prepare'] {
  const known = new Map<string, Prepared>()
  let names = 0
  return (sql) => {
    const found = known.get(sql)
    if (found !== undefined) return found
    const text = numbered(sql)
    const isNamed = named && names < namedMax
    if (isNamed) names += 1
    const prepared = isNamed ? { text, name: `nuncio_${names}` } : { text }
    if (known.size < rememberedMax) known.set(sql, prepared)
    return prepared
  }
}

/** Every question mark in the text of a statement is a parameter. */
function numbered(sql: string): string {
  let count = 0
  return sql.replace(/\?/g, () => `$${(count += 1)}`)
}
