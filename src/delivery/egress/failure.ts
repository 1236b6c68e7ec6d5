import { errors } from 'undici'
import { Blocked, connectMsMax } from './connect.ts'
import type { Outcome } from '../attempts/outcome.ts'

/** Texts by error code. They reveal nothing except that the receiver was not reached. */
const details: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was reset',
  EPIPE: 'the connection was closed',
  EHOSTUNREACH: 'there is no way to its address',
  ENETUNREACH: 'there is no way to its address',
  ETIMEDOUT: 'the connection timed out',
  ENOTFOUND: 'its name does not resolve',
  ENODATA: 'its name does not resolve',
  EAI_AGAIN: 'its name temporarily cannot be resolved',
  UND_ERR_SOCKET: 'the connection was closed before the answer',
  UND_ERR_HEADERS_OVERFLOW: 'the header of its answer is too large',
  TOO_MANY_INTERIMS: 'it sent too many interim responses',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is self-signed',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate comes from an unknown authority',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its certificate comes from an unknown authority',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name',
}

/** Returns the outcome for a network error. */
export function failure(error: unknown): Outcome {
  if (error instanceof Blocked) return { kind: 'BLOCKED', detail: error.message }
  if (error instanceof errors.HTTPParserError) {
    return { kind: 'UNREACHABLE', detail: 'its answer is not HTTP' }
  }
  const code = codeOf(error)
  if (code === 'UND_ERR_CONNECT_TIMEOUT') {
    return { kind: 'TIMEOUT', detail: `no connection within ${connectMsMax} ms` }
  }
  return { kind: 'UNREACHABLE', detail: details[code] ?? unknown(code) }
}

function codeOf(error: unknown): string {
  if (typeof error !== 'object' || error === null || !('code' in error)) return ''
  return typeof error.code === 'string' ? error.code : ''
}

function unknown(code: string): string {
  return code === '' ? 'the connection failed' : `the connection failed (${code})`
}
