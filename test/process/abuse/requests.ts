import { connect, type Socket } from 'node:net'
import type { Note, Target } from './attack.ts'

/** Real time passes. */
export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

/** Repeats the work of each of several clients until the signal aborts; `round` counts from the client's number. */
export async function repeat(
  clients: number,
  signal: AbortSignal,
  work: (round: number) => Promise<void>,
): Promise<void> {
  await Promise.all(
    Array.from({ length: clients }, async (_, client) => {
      for (let round = client; !signal.aborted; round += 1) await work(round)
    }),
  )
}

/** A request of client A. */
export interface Asked {
  readonly method?: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** Sends a request, reads its response, and notes the status or the fault of the connection. */
export async function send(
  { url, own }: Target,
  { method = 'GET', path, headers = {}, body }: Asked,
  signal: AbortSignal,
  note: Note,
): Promise<void> {
  try {
    const given = body === undefined ? {} : { body }
    const response = await fetch(url + path, {
      method,
      headers: { ...own, ...headers },
      signal,
      ...given,
    })
    await response.arrayBuffer()
    note(String(response.status))
  } catch {
    if (signal.aborted) return
    note('no response')
    await pause(20)
  }
}

/** Creates what an attack needs, before it. Throws if the service refuses it. */
export async function create(
  { url }: Target,
  head: Readonly<Record<string, string>>,
  path: string,
  body: object,
): Promise<void> {
  const response = await fetch(url + path, {
    method: 'PUT',
    headers: head,
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`PUT ${path}: ${response.status} ${await response.text()}`)
  await response.text()
}

/** Returns the head of a request as it is sent over a connection, without its last line. */
export function headOf(line: string, headers: Readonly<Record<string, string>> = {}): string {
  const fields = Object.entries({ host: 'service', ...headers })
  return [`${line} HTTP/1.1`, ...fields.map(([name, value]) => `${name}: ${value}`), ''].join(
    '\r\n',
  )
}

/** Time after which a closed connection is opened again, in milliseconds. */
const reopenMs = 100

/** Keeps connections open until the signal aborts: each that is closed is opened again. */
export async function keepOpen(
  { port, from }: Target,
  connections: number,
  signal: AbortSignal,
  note: Note,
  begin: (socket: Socket) => void,
): Promise<void> {
  await repeat(connections, signal, async () => {
    const socket = connect({ port, host: '127.0.0.1', localAddress: from })
    socket.on('error', () => {})
    const stop = (): void => void socket.destroy()
    signal.addEventListener('abort', stop, { once: true })
    socket.once('connect', () => {
      note('connected')
      begin(socket)
    })
    await new Promise((resolve) => socket.once('close', resolve))
    signal.removeEventListener('abort', stop)
    if (signal.aborted) return
    note('closed')
    await pause(reopenMs)
  })
}

/** Writes as much as a connection takes, for as long as it is open. */
export function flood(socket: Socket, next: () => string | Uint8Array): void {
  const fill = (): void => {
    while (socket.writable && socket.write(next()));
  }
  socket.on('drain', fill)
  fill()
}
