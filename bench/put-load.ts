import { connect } from 'node:net'

/** A request, without its length and host, which are added. */
export interface SentRequest {
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** Each connection goes through them in turn, so that not one instance alone is asked for. */
  readonly paths: readonly string[]
}

/** What to send, for how long. */
export interface Load {
  readonly port: number
  readonly request: SentRequest
  readonly connections: number
  readonly seconds: number
}

/** What came of it. */
export interface LoadResult {
  readonly perSecond: number
  readonly answers: number
  readonly p50Ms: number
  readonly p99Ms: number
  /** Answers by status. */
  readonly statuses: Readonly<Record<string, number>>
  /** How much of a core the client itself took, from 0 to 1. */
  readonly clientShare: number
}

/**
 * Sends requests as fast as they are answered, each connection one at a time. It reads as little of
 * an answer as it can, so that it is the service that is measured and not the client.
 */
export async function putLoad(work: Load): Promise<LoadResult> {
  const requests = bytesOf(work.request)
  const latencies: number[] = []
  const statuses: Record<string, number> = {}
  let next = 0

  const cpuBefore = process.cpuUsage()
  const began = performance.now()
  const end = began + work.seconds * 1000
  const one = (): Promise<void> =>
    new Promise((resolve, reject) => {
      let sentAt = 0
      let pending: Buffer = Buffer.alloc(0)
      const socket = connect(work.port, '127.0.0.1')
      const send = (): void => {
        next = (next + 1) % requests.length
        sentAt = performance.now()
        socket.write(requests[next] ?? '')
      }
      socket.setNoDelay(true)
      socket.on('connect', send)
      socket.on('error', reject)
      socket.on('close', () => resolve())
      socket.on('data', (chunk: Buffer) => {
        pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk])
        if (!isWhole(pending)) return
        const now = performance.now()
        const status = pending.toString('latin1', 9, 12)
        statuses[status] = (statuses[status] ?? 0) + 1
        latencies.push(now - sentAt)
        pending = Buffer.alloc(0)
        if (now < end) send()
        else socket.end()
      })
    })
  await Promise.all(Array.from({ length: work.connections }, one))

  const seconds = (performance.now() - began) / 1000
  const { user, system } = process.cpuUsage(cpuBefore)
  latencies.sort((a, b) => a - b)
  const at = (share: number): number => latencies[Math.floor(latencies.length * share)] ?? 0
  return {
    perSecond: latencies.length / seconds,
    answers: latencies.length,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    statuses,
    clientShare: (user + system) / 1e6 / seconds,
  }
}

/** The requests as they go over the wire. */
export function bytesOf({ method, paths, headers, body }: SentRequest): readonly Buffer[] {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  const length = body === '' ? '' : `content-length: ${Buffer.byteLength(body)}\r\n`
  return paths.map((path) =>
    Buffer.from(
      `${method} ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n${lines.join('')}${length}\r\n${body}`,
    ),
  )
}

/** An answer is whole when its body is as long as its header says. */
export function isWhole(bytes: Buffer): boolean {
  const end = bytes.indexOf('\r\n\r\n')
  if (end === -1) return false
  const head = bytes.toString('latin1', 0, end)
  const length = /content-length: (\d+)/i.exec(head)?.[1]
  if (length !== undefined) return bytes.length >= end + 4 + Number(length)
  if (!/transfer-encoding: chunked/i.test(head)) return true
  return bytes.toString('latin1', bytes.length - 5) === '0\r\n\r\n'
}
