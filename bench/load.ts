import { connect } from 'node:net'

/** What to send: the same request over and over, or one made anew for each number. */
export interface Load {
  readonly port: number
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly connections: number
  readonly seconds: number
}

/** What came of it. */
export interface LoadResult {
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  /** Answers by status. */
  readonly statuses: Readonly<Record<string, number>>
}

/**
 * Sends requests as fast as they are answered, each connection one at a time. It reads as little of
 * an answer as it can, so that it is the service that is measured and not the client.
 */
export async function load(work: Load): Promise<LoadResult> {
  const lines = Object.entries(work.headers).map(([name, value]) => `${name}: ${value}\r\n`)
  const head = `${work.method} ${work.path} HTTP/1.1\r\nhost: bench\r\n${lines.join('')}`
  const length = work.body === '' ? '' : `content-length: ${Buffer.byteLength(work.body)}\r\n`
  const request = Buffer.from(`${head}${length}\r\n${work.body}`)
  const latencies: number[] = []
  const statuses: Record<string, number> = {}

  const began = performance.now()
  const end = began + work.seconds * 1000
  const one = (): Promise<void> =>
    new Promise((resolve, reject) => {
      let sentAt = 0
      let pending: Buffer = Buffer.alloc(0)
      const socket = connect(work.port, '127.0.0.1')
      const send = (): void => {
        sentAt = performance.now()
        socket.write(request)
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
  latencies.sort((a, b) => a - b)
  const at = (share: number): number => latencies[Math.floor(latencies.length * share)] ?? 0
  return { perSecond: latencies.length / seconds, p50Ms: at(0.5), p99Ms: at(0.99), statuses }
}

/** An answer is whole when its body is as long as its header says. */
function isWhole(bytes: Buffer): boolean {
  const end = bytes.indexOf('\r\n\r\n')
  if (end === -1) return false
  const length = /content-length: (\d+)/i.exec(bytes.toString('latin1', 0, end))?.[1]
  return length === undefined || bytes.length >= end + 4 + Number(length)
}
