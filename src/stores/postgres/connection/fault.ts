import { SerializationConflict } from '../../sql/work.ts'
import { StoreUnavailable } from '../../../core/ports/store.ts'

/** States and classes of states (PostgreSQL, appendix A) that mean that the server fails, and not the statement. */
const unavailable: readonly (readonly [code: string, reason: string])[] = [
  ['08', 'the connection failed'],
  ['28', 'it refuses the role or its password'],
  ['3D000', 'there is no such database'],
  ['25006', 'it only reads: it is a replica, or was made read-only'],
  ['25P03', 'a transaction did nothing for too long'],
  ['25P04', 'a transaction took too long'],
  ['53', 'it has not enough connections, memory or disk'],
  ['55P03', 'others hold what this one needs for too long'],
  ['57014', 'a statement took too long'],
  ['57P', 'it is shutting down, or starting'],
  ['58', 'its system fails'],
  ['XX', 'it fails inside'],
]

/** Codes of conflicts with another transaction. A second run may succeed. */
const overtaken = ['40001', '40P01']

/** Codes of Node for what the network does; no state of PostgreSQL begins so. */
const networkCode = /^E(CONN|HOST|NET|ADDR|PIPE|TIMEDOUT|NOTFOUND|AI_AGAIN)/

/** The driver gives its own errors no code. */
const driverMessages = [
  'Connection terminated',
  'Connection timeout',
  'timeout exceeded when',
  'timeout expired',
  'Query read timeout',
  'Client has encountered',
  'Client was closed',
  'Cannot use a pool',
]

/** An error that says that the store fails, as `StoreUnavailable`; any other as it is. */
export function asFault(error: unknown): unknown {
  if (error instanceof StoreUnavailable || !(error instanceof Error)) return error
  const code = codeOf(error)
  const reason = reasonFor(code, error)
  if (reason === null) return error
  // The server tells of a connection that has failed: that to one of the servers behind it.
  const isInPart = code.startsWith('08')
  return new StoreUnavailable(`PostgreSQL: ${reason} (${error.message})`, {
    cause: error,
    isInPart,
  })
}

/** Returns true if the failed work may run again. */
export function isOvertaken(error: unknown): boolean {
  return (
    error instanceof SerializationConflict ||
    (error instanceof Error && overtaken.includes(codeOf(error)))
  )
}

/** Returns true if a server refused to write, because it is a replica or was made read-only. */
export function isOfReadOnlyServer(error: unknown): boolean {
  return error instanceof Error && codeOf(error) === '25006'
}

/** Returns true if the connection is lost: its last statements may not have arrived. */
export function isBroken(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = codeOf(error)
  return code.startsWith('57P') || code.startsWith('08') || isOfNetwork(code, error)
}

function reasonFor(code: string, error: Error): string | null {
  if (isOfNetwork(code, error)) return 'it cannot be reached'
  return unavailable.find(([prefix]) => code.startsWith(prefix))?.[1] ?? null
}

function isOfNetwork(code: string, { message }: Error): boolean {
  if (code !== '') return networkCode.test(code)
  return driverMessages.some((begin) => message.startsWith(begin))
}

function codeOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : ''
}
