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
 * Receives the body of a request. Null where the client goes away before its end. Throws the
 * `Problem` of a body of more than `bytesMax` octets: what is left of it is not kept.
 */
export function receiveBody(
  request: IncomingMessage,
  bytesMax: number,
): Promise<Uint8Array | null> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let bytes = 0
    const refuse = (): void => {
      request.off('data', take)
      reject(new Problem('content-too-large', `The body has more than ${bytesMax} octets.`))
    }
    const take = (chunk: Buffer): void => {
      bytes += chunk.length
      if (bytes > bytesMax) return refuse()
      chunks.push(chunk)
    }
    if (Number(request.headers['content-length'] ?? 0) > bytesMax) return refuse()
    request.on('data', take)
    request.on('end', () => resolve(joined(chunks)))
    request.on('error', () => resolve(null))
    request.on('close', () => resolve(null))
  })
}

/** Most bodies come in one piece. */
function joined(chunks: readonly Buffer[]): Uint8Array {
  const [first] = chunks
  if (first === undefined) return nothing
  return chunks.length === 1 ? first : Buffer.concat(chunks)
}
