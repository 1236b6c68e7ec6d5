import type { ReceiverClock } from './clock.ts'
import { readHeader } from './headers.ts'
import { joinBytes } from './join-bytes.ts'
import { Refusal } from './refusal.ts'
import type { FetchRequest, NodeRequest, WebhookRequest } from './webhook-request.ts'

/** The limits of a body: size and time. */
export interface ReadLimits {
  readonly bodyBytesMax: number
  readonly readTimeoutMs: number
  readonly clock: ReceiverClock
}

/** A body in pieces, from any runtime. */
interface Pieces {
  next(): Promise<{ readonly done?: boolean | undefined; readonly value?: unknown }>
  stop(): void
}

const encoder = new TextEncoder()

/**
 * Returns the raw bytes of the body. Throws a Refusal: 413 if they are too many, 408 if they take
 * too long, 400 if they end early, 500 if other code has consumed them.
 */
export async function readBody(request: WebhookRequest, limits: ReadLimits): Promise<Uint8Array> {
  checkSize(Number(readHeader(request.headers, 'content-length') ?? 0), limits)

  const source = sourceOf(request)
  if (source instanceof Uint8Array) {
    checkSize(source.length, limits)
    return source
  }

  try {
    return await inTime(collect(source, limits), limits)
  } catch (error) {
    source.stop()
    throw error
  }
}

function sourceOf(request: WebhookRequest): Uint8Array | Pieces {
  if ('bodyUsed' in request) return fetchSource(request)
  if (Symbol.asyncIterator in request) return nodeSource(request)
  return toBytes(request.body)
}

function fetchSource(request: FetchRequest): Uint8Array | Pieces {
  if (request.bodyUsed) throw consumed('the body of this Request was read before')
  if (request.body === null) return new Uint8Array()

  const reader = request.body.getReader()
  return { next: () => reader.read(), stop: () => void reader.cancel().catch(() => undefined) }
}

function nodeSource(request: NodeRequest): Uint8Array | Pieces {
  for (const body of [request.rawBody, request.body]) {
    const bytes = bytesOf(body)
    if (bytes !== null) return bytes
  }
  if (request.readableDidRead) throw consumed('something before this handler parsed the body')

  // Keep the iterator open: closing it destroys the socket before the response is written.
  const iterator = request[Symbol.asyncIterator]()
  return { next: () => iterator.next(), stop: () => undefined }
}

async function collect(pieces: Pieces, limits: ReadLimits): Promise<Uint8Array> {
  const collected: Uint8Array[] = []
  let size = 0

  for (;;) {
    const { done, value } = await pieces.next().catch((cause: unknown) => {
      throw new Refusal(400, 'The body ended before it was complete. Send it again.', { cause })
    })
    if (done) return joinBytes(collected)

    const piece = toBytes(value)
    size += piece.length
    checkSize(size, limits)
    collected.push(piece)
  }
}

async function inTime<T>(work: Promise<T>, { clock, readTimeoutMs }: ReadLimits): Promise<T> {
  return new Promise((resolve, reject) => {
    const cancel = clock.after(readTimeoutMs, () =>
      reject(new Refusal(408, `The body took longer than ${readTimeoutMs} ms. Send it again.`)),
    )
    work.then(resolve, reject).finally(cancel)
  })
}

function checkSize(size: number, { bodyBytesMax }: ReadLimits): void {
  if (size <= bodyBytesMax) return
  throw new Refusal(
    413,
    `The body is larger than ${bodyBytesMax} bytes. Send fewer records per request (maxBatch of the ` +
      'webhook), or raise bodyBytesMax of the receiver.',
  )
}

function toBytes(value: unknown): Uint8Array {
  const bytes = bytesOf(value)
  if (bytes !== null) return bytes
  throw consumed('the given body is no longer bytes')
}

function bytesOf(value: unknown): Uint8Array | null {
  if (typeof value === 'string') return encoder.encode(value)
  if (value instanceof ArrayBuffer) return new Uint8Array(value)
  return ArrayBuffer.isView(value)
    ? new Uint8Array(value.buffer, value.byteOffset, value.byteLength)
    : null
}

function consumed(what: string): Refusal {
  return new Refusal(
    500,
    `The signature covers the raw bytes of the body, but ${what}. Put this handler before any ` +
      'body parser (express.json()), or let its path have the raw body ' +
      '(express.raw({ type: "application/json" })).',
  )
}
