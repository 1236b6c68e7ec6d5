import type { IncomingMessage } from 'node:http'
import type { AccountId } from '../../core/account.ts'
import { Problem } from '../../core/problem.ts'
import type { MaybePromise } from '../../core/maybe-promise.ts'
import type { BytesInFlight, HeldBytes } from './bytes-in-flight.ts'

/** The body of a request over a connection. */
export interface RequestBody {
  /**
   * Receives the whole body of a request of an account; null: of a request without a key. Throws a
   * `Problem` if it is too large or too slow, if too much is in flight, or if the connection ends
   * before it.
   */
  receive(account: AccountId | null): MaybePromise<Uint8Array>
  /** Discards the body, that which was received and that which still comes; stops reading if that is much. */
  discard(): void
  /** Refuses the body if fewer octets came since the last call than a client must send by then. */
  checkRate(bytesMin: number): void
}

/** Octets and pieces that are received before the body is asked for; then its connection is not read. */
const [unaskedBytesMax, unaskedPiecesMax] = [16_384, 1024]

/** Pieces in which a body may arrive: each costs the service more than the octet that a client may put into it. */
const piecesMax = 16_384

/**
 * Octets and pieces of a discarded body that are read, so that its client sees the response. Then the
 * connection is not read until it closes.
 */
const [discardedBytesMax, discardedPiecesMax] = [262_144, 1024]

/** The least that is allocated for a body of several chunks. */
const bufferBytesMin = 4096

/** A body up to this size is not counted: it costs less than its connection. */
const uncountedBytesMax = 4096

/**
 * Receives the chunks of a body as they come. Calls `demand` if the body is asked for before it has
 * come whole, and `fault` once it came in too many pieces.
 */
export function requestBody(
  request: IncomingMessage,
  bytesMax: number,
  demand: () => void,
  inFlight: BytesInFlight,
  fault: () => void = () => {},
): RequestBody {
  return new ArrivingBody(request, bytesMax, demand, inFlight, fault)
}

const nothing = new Uint8Array()

/** A class, since each write has one: its methods are created once. */
class ArrivingBody implements RequestBody {
  readonly #request: IncomingMessage
  readonly #bytesMax: number
  readonly #demand: () => void
  readonly #inFlight: BytesInFlight
  readonly #fault: () => void
  readonly #bytesAnnounced: number
  readonly #take = (chunk: Uint8Array): void => this.#add(chunk)
  /** Chunks are copied into it: a list of them costs a client one octet for each, and the service a hundred. */
  #buffer: Uint8Array = nothing
  #bytes = 0
  #pieces = 0
  #isDiscarded = false
  /** Whether the connection is not read, and whether it soon will not be. */
  #isStopped = false
  #isStopping = false
  /** Octets that had come at the last check of the rate. */
  #bytesChecked = 0
  #outcome: Uint8Array | Problem | null = null
  #settle: ((outcome: Uint8Array | Problem) => void) | null = null
  #owner: AccountId | null = null
  #held: HeldBytes | null = null
  #bytesHeld = 0

  constructor(
    request: IncomingMessage,
    bytesMax: number,
    demand: () => void,
    inFlight: BytesInFlight,
    fault: () => void,
  ) {
    this.#request = request
    this.#bytesMax = bytesMax
    this.#demand = demand
    this.#inFlight = inFlight
    this.#fault = fault
    this.#bytesAnnounced = Number(request.headers['content-length'] ?? 0)
    if (this.#bytesAnnounced > bytesMax) this.#refuse(tooLarge(bytesMax))
    else request.on('data', this.#take)
    request.on('end', () => {
      this.#readOn()
      this.#end(this.#buffer.subarray(0, this.#bytes))
    })
    const close = (): void => this.#close()
    request.on('error', close)
    // It also occurs after the response: until then, results of the body are in use.
    request.on('close', close)
  }

  receive(account: AccountId | null): MaybePromise<Uint8Array> {
    if (this.#outcome instanceof Problem) throw this.#outcome
    if (this.#outcome !== null) return this.#outcome
    this.#demand()
    this.#readOn()
    this.#owner = account
    const received = new Promise<Uint8Array>((resolve, reject) => {
      this.#settle = (found) => (found instanceof Problem ? reject(found) : resolve(found))
    })
    this.#hold()
    return received
  }

  discard(): void {
    if (this.#request.readableEnded || this.#isDiscarded) return
    this.#isDiscarded = true
    this.#request.off('data', this.#take)
    let [bytesLeft, piecesLeft] = [discardedBytesMax, discardedPiecesMax]
    this.#request.on('data', (chunk: Uint8Array) => {
      bytesLeft -= chunk.length
      piecesLeft -= 1
      if (piecesLeft === -1) this.#fault()
      if (bytesLeft < 0 || piecesLeft < 0) this.#stopReading()
    })
    this.#readOn()
    this.#request.resume()
  }

  checkRate(bytesMin: number): void {
    const came = this.#bytes - this.#bytesChecked
    if (!this.#isAwaited()) return
    this.#bytesChecked = this.#bytes
    if (came < bytesMin)
      this.#refuse(new Problem('request-timeout', 'The body arrives too slowly.'))
  }

  #add(chunk: Uint8Array): void {
    const after = this.#bytes + chunk.length
    if (after > this.#bytesMax) return this.#refuse(tooLarge(this.#bytesMax))
    this.#pieces += 1
    if (this.#pieces > piecesMax) return this.#refuse(tooManyPieces())
    // Most bodies come in one piece, which is not copied.
    if (this.#bytes === 0) this.#buffer = chunk
    else {
      if (after > this.#buffer.length) this.#buffer = grown(this.#buffer, after, this.#bytesMax)
      this.#buffer.set(chunk, this.#bytes)
    }
    this.#bytes = after
    if (this.#isAwaited()) this.#hold()
    else if (after >= unaskedBytesMax || this.#pieces >= unaskedPiecesMax) this.#stopReading()
  }

  /**
   * Reads no more of the connection until `#readOn`, once Node has passed on what it has read: it reads on then. A
   * paused request would keep 64 KiB in pieces, of which each may be one octet.
   */
  #stopReading(): void {
    if (this.#isStopping) return
    this.#isStopping = true
    queueMicrotask(() => {
      if (this.#isStopping) this.#request.socket.pause()
      this.#isStopped ||= this.#isStopping
      this.#isStopping = false
    })
  }

  #readOn(): void {
    if (this.#isStopped) this.#request.socket.resume()
    this.#isStopped = false
    this.#isStopping = false
  }

  /**
   * Counts the announced length among the octets in flight, so that a body without room is refused before it
   * is read; and the room of the buffer, as it grows.
   */
  #hold(): void {
    const room = Math.max(this.#buffer.length, this.#bytesAnnounced)
    if (room === this.#bytesHeld || room <= uncountedBytesMax) return
    this.#held ??= this.#inFlight.hold(this.#owner)
    try {
      this.#held.add(room - this.#bytesHeld)
      this.#bytesHeld = room
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      this.#refuse(error)
    }
  }

  #isAwaited(): boolean {
    return this.#settle !== null && this.#outcome === null
  }

  #refuse(problem: Problem): void {
    this.discard()
    this.#held?.release()
    this.#end(problem)
  }

  #close(): void {
    this.#held?.release()
    // Every request closes, most of them after their end: a problem would cost each its stack trace.
    if (this.#outcome !== null) return
    this.#end(new Problem('invalid-request', 'The connection ended in the body.'))
  }

  #end(outcome: Uint8Array | Problem): void {
    if (this.#outcome !== null) return
    this.#outcome = outcome
    this.#settle?.(outcome)
  }
}

function tooLarge(bytesMax: number): Problem {
  return new Problem('content-too-large', `The body has more than ${bytesMax} octets.`)
}

function tooManyPieces(): Problem {
  const detail = `The body arrives in more than ${piecesMax} pieces. Send larger chunks.`
  return new Problem('content-too-large', detail)
}

/** Returns a buffer with the octets of another and room for more. */
function grown(buffer: Uint8Array, bytesNeeded: number, bytesMax: number): Uint8Array {
  const size = Math.min(Math.max(2 * bytesNeeded, bufferBytesMin), bytesMax)
  // Filled with zeros first, memory would be used before octets have come.
  const larger = Buffer.allocUnsafeSlow(size)
  larger.set(buffer)
  return larger
}
