import type { IncomingMessage } from 'node:http'
import { Problem } from '../../core/problem.ts'
import type { MaybePromise } from '../../core/maybe-promise.ts'

/** The body of a request over a connection. */
export interface RequestBody {
  /**
   * Receives the whole body. Throws a `Problem` if it is too large, or if the connection ends before
   * it.
   */
  receive(): MaybePromise<Uint8Array>
  /** Discards the body, that which was received and that which still comes. */
  discard(): void
}

/** Returns true if a body follows the head of a request (RFC 9112 section 6.3). */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined
}

/** Octets that are received before the body is asked for; then its connection waits. */
const unaskedBytesMax = 65_536

/** The least that is allocated for a body of several chunks. */
const bufferBytesMin = 4096

/**
 * Receives the chunks of a body as they come. Calls `demand` if the body is asked for before it has
 * come whole.
 */
export function requestBody(
  request: IncomingMessage,
  bytesMax: number,
  demand: () => void,
): RequestBody {
  const octets = octetBuffer(bytesMax)
  let outcome: Uint8Array | Problem | null = null
  let settle: ((outcome: Uint8Array | Problem) => void) | null = null

  const end = (found: Uint8Array | Problem): void => {
    if (outcome !== null) return
    outcome = found
    settle?.(found)
  }
  const discard = (): void => {
    if (request.readableEnded) return
    request.off('data', take)
    request.resume()
  }
  const refuse = (): void => {
    discard()
    end(new Problem('content-too-large', `The body has more than ${bytesMax} octets.`))
  }
  const take = (chunk: Uint8Array): void => {
    if (!octets.add(chunk)) refuse()
    else if (settle === null && octets.count() >= unaskedBytesMax) request.pause()
  }
  const lost = (): void => {
    // Every request closes, most of them after their end: a problem would cost each its stack trace.
    if (outcome === null) end(new Problem('invalid-request', 'The connection ended in the body.'))
  }

  if (Number(request.headers['content-length'] ?? 0) > bytesMax) refuse()
  else request.on('data', take)
  request.on('end', () => end(octets.all()))
  request.on('error', lost)
  request.on('close', lost)
  const receive = (): MaybePromise<Uint8Array> => {
    if (outcome instanceof Problem) throw outcome
    if (outcome !== null) return outcome
    demand()
    request.resume()
    return new Promise((resolve, reject) => {
      settle = (found) => (found instanceof Problem ? reject(found) : resolve(found))
    })
  }
  return { receive, discard }
}

/** Octets in one growing buffer. */
interface OctetBuffer {
  /** Adds a chunk; returns false if there would be too many octets. */
  add(chunk: Uint8Array): boolean
  count(): number
  all(): Uint8Array
}

/**
 * Makes a buffer into which chunks are copied: a list of chunks costs a client one octet for each, and
 * the service a hundred.
 */
function octetBuffer(bytesMax: number): OctetBuffer {
  let buffer: Uint8Array = new Uint8Array()
  let bytes = 0
  return {
    add: (chunk) => {
      const after = bytes + chunk.length
      if (after > bytesMax) return false
      // Most bodies come in one piece, which is not copied.
      if (bytes === 0) buffer = chunk
      else {
        if (after > buffer.length) buffer = grown(buffer, after, bytesMax)
        buffer.set(chunk, bytes)
      }
      bytes = after
      return true
    },
    count: () => bytes,
    all: () => buffer.subarray(0, bytes),
  }
}

/** Returns a buffer with the octets of another and room for more. */
function grown(buffer: Uint8Array, bytesNeeded: number, bytesMax: number): Uint8Array {
  const size = Math.min(Math.max(2 * bytesNeeded, bufferBytesMin), bytesMax)
  // Filled with zeros first, memory would be used before octets have come.
  const larger = Buffer.allocUnsafeSlow(size)
  larger.set(buffer)
  return larger
}
