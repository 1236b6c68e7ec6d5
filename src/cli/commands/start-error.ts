import type { Config } from '../../config/config.ts'
import type { StoreLocation } from '../../config/store-location.ts'
import { DeclarationError } from '../../core/declaration/declaration-error.ts'
import { StoreUnavailable } from '../../core/ports/store.ts'

/** What Node says of an operating system's refusal. */
interface SystemError extends Error {
  readonly code: string
  readonly syscall?: unknown
}

/** Why the service could not start and what to do about it: one message, without a stack trace. */
export function startError(error: unknown, config: Config): string {
  const chain = causes(error)
  const text =
    first(chain, (cause) => declarationError(cause, config)) ??
    // What the network says below a refusal of the store is not said of the address to listen on.
    first(chain, (cause) => storeRefusal(cause, config.store)) ??
    first(chain, (cause) => listenError(cause, config)) ??
    first(chain, (cause) => storeError(cause, config.store)) ??
    `${messageOf(error)}\nWith --log debug the log has the details.`
  return `Nuncio could not start: ${text}\n`
}

/** What a declaration says wrong, a line each: it names the file, the place and the cure. */
function declarationError(error: Error, { config }: Config): string | null {
  if (!(error instanceof DeclarationError)) return null
  const where = config === null ? '' : ` in ${config}`
  return `the declarations${where} cannot be served.\n${error.message}`
}

function listenError(error: Error, { host, port }: Config): string | null {
  if (!isSystemError(error)) return null
  if (error.code === 'EADDRINUSE') {
    return (
      `port ${port} on ${host} is taken by another process.\n` +
      `Stop that one, or choose another port: --port ${port < 65_535 ? port + 1 : port - 1}`
    )
  }
  if (error.code === 'EADDRNOTAVAIL' || error.syscall === 'getaddrinfo') {
    return (
      `${host} is no address of this machine.\n` +
      'Listen on one that is, such as --host 127.0.0.1 or --host 0.0.0.0'
    )
  }
  if (error.code === 'EACCES' && error.syscall === 'listen') {
    return `this user may not open port ${port}.\nChoose one above 1023, such as --port 8080`
  }
  return null
}

/** A store that explains itself says what to do as well, except of the way to a database. */
function storeRefusal(error: Error, store: StoreLocation): string | null {
  if (!(error instanceof StoreUnavailable)) return null
  const text = `the store ${shown(store)} cannot be opened: ${error.message}`
  if (store.kind !== 'postgres' || !(error.cause instanceof Error)) return text
  const next = cureOfDatabase(error.cause, new URL(store.url).host)
  return next === null ? text : `${text}\n${next}`
}

/** What to do about what the network, or the database itself, says at the door. */
function cureOfDatabase(cause: Error, host: string): string | null {
  const code = isSystemError(cause) ? cause.code : ''
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return `The host ${host} is not known here. Check the host in NUNCIO_STORE, and the DNS.`
  }
  if (code.startsWith('28')) return 'Check user and password in NUNCIO_STORE.'
  if (code === '3D000') return 'Make the database, or check its name in NUNCIO_STORE.'
  // The driver has no code for a connection that took too long; PostgreSQL's have five characters.
  return code.length === 5 && !code.startsWith('E')
    ? null
    : `Check that PostgreSQL runs and takes connections at ${host}, and host and port in NUNCIO_STORE.`
}

function storeError(error: Error, store: StoreLocation): string | null {
  const text = `the store ${shown(store)} cannot be opened: ${messageOf(error)}`
  const system = isSystemError(error) && (storeCodes.has(error.code) || error.syscall === 'connect')
  return system ? `${text}\n${cure(store)}` : null
}

/** Codes of the file system, of a full disk, and of SQLite. */
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

/** The store without user name and password. */
function shown(store: StoreLocation): string {
  if (store.kind === 'memory') return 'memory:'
  if (store.kind === 'sqlite') return `sqlite:${store.file}`
  const { host, pathname } = new URL(store.url)
  return `postgres://${host}${pathname}`
}

function cure({ kind }: StoreLocation): string {
  return kind === 'postgres'
    ? 'Check that the database runs, and that address, user and password in NUNCIO_STORE are right.'
    : 'Check that this user may write there and that the disk has room, ' +
        'or choose another place: --store sqlite:/path/to/nuncio.db'
}

/** An error and what caused it, the outermost first. */
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
