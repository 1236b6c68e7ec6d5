import type { Config } from '../../config/config.ts'
import type { StoreLocation } from '../../config/store-location.ts'
import { DeclarationError } from '../../core/declaration/declaration-error.ts'
import { postgresHosts, shownPostgresUrl } from '../../core/postgres-urls.ts'
import { StoreUnavailable } from '../../core/ports/store.ts'

/** An error of the operating system, as Node reports it. */
interface SystemError extends Error {
  readonly code: string
  readonly syscall?: unknown
}

/** Returns why the service could not start and how to fix it: one message without a stack trace. */
export function startError(error: unknown, config: Config): string {
  const chain = causes(error)
  const text =
    first(chain, (cause) => declarationError(cause, config)) ??
    first(chain, ({ name, message }) => (name === 'MissingPackages' ? message : null)) ??
    // A network error below a refusal of the store does not concern the listening address.
    first(chain, (cause) => storeRefusal(cause, config.store)) ??
    first(chain, (cause) => listenError(cause, config)) ??
    first(chain, (cause) => storeError(cause, config.store)) ??
    `${messageOf(error)}\nWith --log debug the log has the details.`
  return `Nuncio could not start: ${text}\n`
}

/** Returns why a store cannot be used and, in a further line, how to fix it; null for any other error. */
export function storeFaultText(error: unknown, store: StoreLocation): string | null {
  const chain = causes(error)
  return (
    first(chain, (cause) => storeRefusal(cause, store)) ??
    first(chain, (cause) => storeError(cause, store))
  )
}

/** Returns the faults of the declarations, one per line, each with file, position and fix. */
function declarationError(error: Error, { config }: Config): string | null {
  if (!(error instanceof DeclarationError)) return null
  const where = config === null ? '' : ` in ${config}`
  return `the declarations${where} cannot be served.\n${error.message}`
}

function listenError(error: Error, { host, port, metricsAddress }: Config): string | null {
  if (!isSystemError(error)) return null
  if (metricsAddress !== null && 'port' in error && error.port === metricsAddress.port) {
    return (
      `the address for metrics cannot be opened: ${error.message}.\n` +
      'Choose another one: --metrics-address'
    )
  }
  if (error.code === 'EADDRINUSE') {
    return (
      `port ${port} on ${host} is taken by another process.\n` +
      `Stop that one, or choose another port: --port ${port < 65_535 ? port + 1 : port - 1}`
    )
  }
  if (error.code === 'EADDRNOTAVAIL' || error.syscall === 'getaddrinfo') {
    return (
      `${host} is not an address of this machine.\n` +
      'Listen on one that is, such as --host 127.0.0.1 or --host 0.0.0.0'
    )
  }
  if (error.code === 'EACCES' && error.syscall === 'listen') {
    return `this user may not open port ${port}.\nChoose one above 1023, such as --port 8080`
  }
  return null
}

/**
 * Returns why a store cannot be opened. A `StoreUnavailable` says how to fix it, except for network
 * errors.
 */
function storeRefusal(error: Error, store: StoreLocation): string | null {
  if (!(error instanceof StoreUnavailable)) return null
  const text = `the store ${shown(store)} cannot be opened: ${error.message}`
  if (store.kind !== 'postgres' || !(error.cause instanceof Error)) return text
  const next = cureOfDatabase(error.cause, postgresHosts(store.url))
  return next === null ? text : `${text}\n${next}`
}

/** Returns the fix for an error of the network or of the database's login. */
function cureOfDatabase(cause: Error, host: string): string | null {
  const code = isSystemError(cause) ? cause.code : ''
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return `Cannot resolve host ${host}. Check the host in NUNCIO_STORE, and the DNS.`
  }
  if (code.startsWith('28')) return 'Check user and password in NUNCIO_STORE.'
  if (code === '3D000') return 'Create the database, or check its name in NUNCIO_STORE.'
  // The driver has no code for a connection timeout; PostgreSQL's codes have five characters.
  return code.length === 5 && !code.startsWith('E')
    ? null
    : `Check that PostgreSQL runs and takes connections at ${host}, and host and port in NUNCIO_STORE.`
}

function storeError(error: Error, store: StoreLocation): string | null {
  const text = `the store ${shown(store)} cannot be opened: ${messageOf(error)}`
  const system = isSystemError(error) && (storeCodes.has(error.code) || error.syscall === 'connect')
  return system ? `${text}\n${cure(store)}` : null
}

/** Error codes of the file system and of SQLite. */
const storeCodes = new Set([
  'EACCES',
  'EDQUOT',
  'EEXIST',
  'EIO',
  'EISDIR',
  'ENOENT',
  'ENOSPC',
  'ENOTDIR',
  'EPERM',
  'EROFS',
  'ERR_SQLITE_ERROR',
])

/** Returns the store without user name and password. */
function shown(store: StoreLocation): string {
  if (store.kind === 'memory') return 'memory:'
  if (store.kind === 'sqlite') return `sqlite:${store.file}`
  return shownPostgresUrl(store.url)
}

function cure({ kind }: StoreLocation): string {
  return kind === 'postgres'
    ? 'Check that the database runs, and that address, user and password in NUNCIO_STORE are right.'
    : 'Check that this user may write there and that the disk has room, ' +
        'or choose another place: --store sqlite:/path/to/nuncio.db'
}

/** Returns an error and its causes, the outermost first. */
function causes(error: unknown): readonly Error[] {
  const chain: Error[] = []
  let next = error
  while (next instanceof Error && !chain.includes(next)) {
    chain.push(next)
    next = next instanceof AggregateError ? (next.cause ?? next.errors[0]) : next.cause
  }
  return chain
}

function first(chain: readonly Error[], explain: (error: Error) => string | null): string | null {
  return chain.map(explain).find((text) => text !== null) ?? null
}

function isSystemError(error: Error): error is SystemError {
  return 'code' in error && typeof error.code === 'string'
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
