import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Clock } from '../../core/ports/clock.ts'
import { problems } from '../../core/problem.ts'
import type { RequestBody } from './request-body.ts'
import type { PlainResponse } from './request.ts'

/** A response that is due. */
export interface DueResponse {
  readonly response: ServerResponse
  readonly body: RequestBody | null
  readonly content: PlainResponse
}

/**
 * Writes all responses of one turn of the event loop at its end, one after the other. Each write
 * wakes the client's process, which costs as much as all other work for a small response. A process
 * that is already awake costs nothing.
 */
export function responseWriter(closing: AbortSignal, clock: Clock): (due: DueResponse) => void {
  let due: DueResponse[] = []
  const writeOne = ({ response, body, content }: DueResponse): void => {
    const { written } = content
    if (written !== undefined) callWhenWritten(response, written)
    const isArriving = body !== null && !response.req.complete
    // Else a client that always has a next request would keep its connection, and the server.
    // With HTTP/1.0, a proxy in front may have seen another end of the body (RFC 9112 section 6.1).
    const isUncertain = body !== null && response.req.httpVersion === '1.0'
    if (closing.aborted || isArriving || isUncertain || tooLarge.has(content.status)) {
      response.setHeader('connection', 'close')
    }
    body?.discard()
    write(response, content, isArriving ? endLater(clock) : endNow)
  }
  const writeAll = (): void => {
    const all = due
    due = []
    for (const each of all) writeOne(each)
  }
  return (next) => {
    if (due.length === 0) setImmediate(writeAll)
    due.push(next)
  }
}

const tooLarge = new Set<number>([
  problems['content-too-large'][0],
  problems['header-too-large'][0],
])

function callWhenWritten(response: ServerResponse, written: () => void): void {
  if (response.closed || response.destroyed) written()
  else response.once('close', written)
}

/** Ends a response with its text; null for none. */
type End = (response: ServerResponse, text: string | null, encoding: 'latin1' | 'utf8') => void

const endNow: End = (response, text, encoding) => {
  if (text === null) response.end()
  else response.end(text, encoding)
}

/** Time for which the rest of a body is discarded after the response, in milliseconds. */
const lingerMs = 1000

/**
 * Sends a response, and ends it after the rest of its request has come. A connection that is closed
 * before is reset, and its client may never see the response.
 */
function endLater(clock: Clock): End {
  return (response, text, encoding) => {
    if (text === null) response.flushHeaders()
    else response.write(text, encoding)
    const { req } = response
    const end = (): void => {
      cancel()
      response.end()
    }
    const cancel = clock.after(lingerMs, end)
    req.once('end', end)
    req.once('close', end)
  }
}

/** Characters per write: the process buffers at most these for a client. */
const chunkLength = 65_536

/** Writes a response without further serialisation. */
function write(response: ServerResponse, content: PlainResponse, end: End): void {
  const { status, headers, body } = content
  if (typeof body === 'string') {
    const length = Buffer.byteLength(body)
    const fields = fieldsOf(headers)
    fields.push('content-length', String(length))
    response.writeHead(status, fields)
    // ASCII is the same in both, and the plainer of the two is written faster.
    const encoding = length === body.length ? 'latin1' : 'utf8'
    if (body.length > chunkLength) void writeChunks(response, body, encoding, end)
    else end(response, body, encoding)
  } else if (body === null) {
    response.writeHead(status, headers)
    end(response, null, 'latin1')
  } else if (body instanceof Uint8Array) {
    const fields = fieldsOf(headers)
    fields.push('content-length', String(body.length))
    response.writeHead(status, fields)
    response.end(body)
  } else {
    // Nothing follows a stream, and a server that closes would wait for the connection.
    response.setHeader('connection', 'close')
    response.writeHead(status, headers)
    void stream(response, body)
  }
}

/** Writes a long text as its client reads it. */
async function writeChunks(
  response: ServerResponse,
  text: string,
  encoding: 'latin1' | 'utf8',
  end: End,
): Promise<void> {
  let from = 0
  while (text.length - from > chunkLength) {
    const to = boundary(text, from + chunkLength)
    const isFull = !response.write(text.slice(from, to), encoding)
    from = to
    if (isFull && !(await drained(response))) return
  }
  end(response, text.slice(from), encoding)
}

/** Returns a place at which a text can be cut: not inside a pair of surrogates. */
function boundary(text: string, at: number): number {
  const unit = text.charCodeAt(at - 1)
  return unit >= 0xd800 && unit <= 0xdbff ? at - 1 : at
}

/** Waits until more can be written; returns false if the client is gone. */
async function drained(response: ServerResponse): Promise<boolean> {
  if (response.destroyed) return false
  const ended = new AbortController()
  const close = (): void => ended.abort()
  response.once('close', close)
  try {
    await once(response, 'drain', { signal: ended.signal })
    return true
  } catch {
    return false
  } finally {
    response.off('close', close)
  }
}

/** Names and values in turn: in this form Node takes them as they are. */
function fieldsOf(headers: PlainResponse['headers']): string[] {
  const fields: string[] = []
  for (const name in headers) fields.push(name, headers[name] ?? '')
  return fields
}

async function stream(response: ServerResponse, body: AsyncIterable<string>): Promise<void> {
  // A client that goes away ends its stream; that is no fault.
  await pipeline(Readable.from(body), response).catch(() => {})
}
