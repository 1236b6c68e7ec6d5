import { nearest } from '../core/declaration/nearest.ts'
import { postgresUrls } from '../core/postgres-urls.ts'
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

/** A check of a parameter's value, and the accepted values in words. */
type Rule = readonly [isRight: (value: string) => boolean, wanted: string]

const anything: Rule = [() => true, '']
const yesOrNo = oneOf('true', 'false')
const oneHost: Rule = [
  (value) => !value.includes(','),
  'one value, with several hosts as in postgres://a:5432,b:5432/database',
]

/** Connections of a node: its pools need three, and no server has more. */
const [connectionsLeast, connectionsMost] = [3, 10_000]

/** The parameters that Nuncio defines. */
const nuncioParameters: Readonly<Record<string, Rule>> = {
  connections: [isConnections, `a whole number from ${connectionsLeast} to ${connectionsMost}`],
  pooled: yesOrNo,
  prepare: yesOrNo,
  direct: [
    (url) => isPostgresUrl(url) && faultOf(url, libpq) === null,
    'a URL of PostgreSQL without parameters of Nuncio, percent-encoded',
  ],
}

/** The parameters of libpq that the driver supports. It would ignore the others silently. */
const libpq: Readonly<Record<string, Rule>> = {
  ...Object.fromEntries(
    [
      'user',
      'password',
      'application_name',
      'fallback_application_name',
      'options',
      'sslcert',
      'sslkey',
      'sslrootcert',
      'statement_timeout',
      'lock_timeout',
      'idle_in_transaction_session_timeout',
      'query_timeout',
    ].map((name) => [name, anything]),
  ),
  host: oneHost,
  port: oneHost,
  target_session_attrs: oneOf('read-write', 'primary'),
  client_encoding: [(value) => /^utf-?8$/i.test(value), 'UTF8'],
  ssl: oneOf('true', 'false', '1', '0', 'no-verify'),
  sslmode: oneOf('disable', 'no-verify', 'prefer', 'require', 'verify-ca', 'verify-full'),
  sslnegotiation: oneOf('postgres', 'direct'),
  uselibpqcompat: yesOrNo,
}

/** Returns true for a PostgreSQL URL. */
function isPostgresUrl(text: string): boolean {
  return /^postgres(ql)?:\/\//.test(text) && postgresUrls(text).every(isWithHost)
}

/** Of several hosts, none is empty. */
function isWithHost(url: string, _: number, all: readonly string[]): boolean {
  return URL.canParse(url) && (all.length === 1 || new URL(url).host !== '')
}

/** Returns the rule that the parameters of a store's URL break, as in "must …"; null if none. */
function parameterFault(url: string): string | null {
  return faultOf(url, { ...nuncioParameters, ...libpq })
}

function faultOf(url: string, rules: Readonly<Record<string, Rule>>): string | null {
  const given = [...new URL(postgresUrls(url)[0] ?? url).searchParams]
  for (const [index, [name, value]] of given.entries()) {
    const rule = Object.hasOwn(rules, name) ? rules[name] : undefined
    if (rule === undefined) return unknown(name, Object.keys(rules))
    const [isRight, wanted] = rule
    if (!isRight(value)) return `must have ${wanted} for the parameter ${name} of its URL`
    const isFirst = given.findIndex(([other]) => other === name) === index
    if (!isFirst) return `must have the parameter ${name} of its URL once`
  }
  return null
}

/** Limits names in a fault: an unencoded value could appear as a long name. */
const shownMax = 40

function unknown(name: string, names: readonly string[]): string {
  const shown = JSON.stringify(name.slice(0, shownMax))
  const meant = nearest(name, names)
  const cure = meant === null ? `the names are ${names.join(', ')}` : `did you mean ${meant}`
  return `must not have the unknown parameter ${shown} in its URL (${cure}${meant === null ? '' : '?'})`
}

function isConnections(value: string): boolean {
  const isNumber = /^\d{1,5}$/.test(value)
  return isNumber && Number(value) >= connectionsLeast && Number(value) <= connectionsMost
}

function oneOf(...values: readonly string[]): Rule {
  return [(value) => values.includes(value), `one of ${values.join(', ')}`]
}
