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
  return new ArrivingBody(request, bytesMax, demand)
}

const nothing = new Uint8Array()

/** Each write has one, so it is a class: its methods are made once. */
class ArrivingBody implements RequestBody {
  readonly #request: IncomingMessage
  readonly #bytesMax: number
  readonly #demand: () => void
  readonly #take = (chunk: Uint8Array): void => this.#add(chunk)
  /** A list of chunks would cost a client one octet for each, and the service a hundred. */
  #buffer: Uint8Array = nothing
  #bytes = 0
  #outcome: Uint8Array | Problem | null = null
  #settle: ((outcome: Uint8Array | Problem) => void) | null = null

  constructor(request: IncomingMessage, bytesMax: number, demand: () => void) {
    this.#request = request
    this.#bytesMax = bytesMax
    this.#demand = demand
    if (Number(request.headers['content-length'] ?? 0) > bytesMax) this.#refuse()
    else request.on('data', this.#take)
    const lost = (): void => this.#lost()
    request.on('end', () => this.#end(this.#buffer.subarray(0, this.#bytes)))
    request.on('error', lost)
    request.on('close', lost)
  }

  receive(): MaybePromise<Uint8Array> {
    if (this.#outcome instanceof Problem) throw this.#outcome
    if (this.#outcome !== null) return this.#outcome
    this.#demand()
    this.#request.resume()
    return new Promise((resolve, reject) => {
      this.#settle = (found) => (found instanceof Problem ? reject(found) : resolve(found))
    })
  }

  discard(): void {
    if (this.#request.readableEnded) return
    this.#request.off('data', this.#take)
    this.#request.resume()
  }

  #add(chunk: Uint8Array): void {
    const after = this.#bytes + chunk.length
    if (after > this.#bytesMax) return this.#refuse()
    // Most bodies come in one piece, which is not copied.
    if (this.#bytes === 0) this.#buffer = chunk
    else {
      if (after > this.#buffer.length) this.#buffer = grown(this.#buffer, after, this.#bytesMax)
      this.#buffer.set(chunk, this.#bytes)
    }
    this.#bytes = after
    if (this.#settle === null && after >= unaskedBytesMax) this.#request.pause()
  }

  #refuse(): void {
    this.discard()
    this.#end(new Problem('content-too-large', `The body has more than ${this.#bytesMax} octets.`))
  }

  #lost(): void {
    // Every request closes, most of them after their end: a problem would cost each its stack trace.
    if (this.#outcome !== null) return
    this.#end(new Problem('invalid-request', 'The connection ended in the body.'))
  }

  #end(found: Uint8Array | Problem): void {
    if (this.#outcome !== null) return
    this.#outcome = found
    this.#settle?.(found)
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
