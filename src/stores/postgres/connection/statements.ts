import type { Prepared } from './prepared.ts'
import { type Sets, sets } from '../commits/sets.ts'

/** The statements of a store: how each is sent. */
export interface Statements {
  prepare(sql: string): Prepared
  /** How those are sent that may be run for many sets of parameters at once. */
  readonly sets: Sets
}

/** More texts than the service has; each connection of the server keeps those that have names. */
const namedMax = 400

/** Remembered without a name: to write a text down again costs microseconds. */
const rememberedMax = 5000

/**
 * Gives statements their numbered parameters, and names by which a server prepares each once a
 * connection. Where `named` is false every statement is prepared each time: so it works behind a pool
 * that hands out other connections with each transaction.
 */
export function statements(named: boolean): Statements {
  const prepare = preparing(named)
  return { prepare, sets: sets(prepare) }
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

/** No text of a statement holds a question mark that is none. */
function numbered(sql: string): string {
  let count = 0
  return sql.replace(/\?/g, () => `$${(count += 1)}`)
}
