import type { IncomingMessage } from 'node:http'
import { Problem } from '../core/problem.ts'

const nothing = new Uint8Array()

/** A body is not looked for in these: it would have no meaning (RFC 9110 section 9.3). */
const withoutBody = new Set(['GET', 'HEAD', 'TRACE'])

/** Whether a body follows the header that is to be read (RFC 9112 section 6.3). */
export function hasBody({ method = '', headers }: IncomingMessage): boolean {
  const isThere =
    headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined
  return isThere && !withoutBody.has(method)
}

/**
 * Is told of a body once: of its octets, of why it is refused, or of null where the client went away
 * before its end.
 */
export type Received = (body: Uint8Array | Problem | null) => void

/**
 * Receives the body of a request. One of more than `bytesMax` octets is refused as soon as that is
 * known: what is left of it is not kept.
 */
export function receiveBody(request: IncomingMessage, bytesMax: number, received: Received): void {
  const chunks: Buffer[] = []
  let bytes = 0
  let isOver = false
  const end = (body: Uint8Array | Problem | null): void => {
    if (isOver) return
    isOver = true
    received(body)
  }
  const refuse = (): void => {
    request.off('data', take)
    end(new Problem('content-too-large', `The body has more than ${bytesMax} octets.`))
  }
  const take = (chunk: Buffer): void => {
    bytes += chunk.length
    if (bytes > bytesMax) return refuse()
    chunks.push(chunk)
  }
  if (Number(request.headers['content-length'] ?? 0) > bytesMax) return refuse()
  const gone = (): void => end(null)
  request.on('data', take)
  request.on('end', () => end(joined(chunks)))
  request.on('error', gone)
  request.on('close', gone)
}

/** Most bodies come in one piece. */
function joined(chunks: readonly Buffer[]): Uint8Array {
  const [first] = chunks
  if (first === undefined) return nothing
  return chunks.length === 1 ? first : Buffer.concat(chunks)
}
