import { isPostgresUrl, parameterFault } from './postgres-parameters.ts'
import type { Parsed } from './setting.ts'

/** The location of a store: a file, the memory of this process (lost at its end), or a database. */
export type StoreLocation =
  | { readonly kind: 'sqlite'; readonly file: string }
  | { readonly kind: 'memory' }
  | { readonly kind: 'postgres'; readonly url: string }

/** Reads the text of a store's location. */
export function readStoreLocation(text: string): Parsed<StoreLocation> {
  if (text === 'memory:') return { ok: true, value: Object.freeze({ kind: 'memory' }) }
  if (isPostgresUrl(text)) {
    const fault = parameterFault(text)
    return fault === null
      ? { ok: true, value: Object.freeze({ kind: 'postgres', url: text }) }
      : { ok: false, rule: fault }
  }

  const file = /^sqlite:(?!\/\/)(.+)$/.exec(text)?.[1]
  // SQLite opens no file for a name that starts with a colon or with file:.
  if (file !== undefined && !/^(:|file:)/.test(file)) {
    return { ok: true, value: Object.freeze({ kind: 'sqlite', file }) }
  }
  return {
    ok: false,
    rule:
      'must be sqlite:./relative/path, sqlite:/absolute/path, ' +
      'postgres://user:password@host/database, or memory:',
  }
}
