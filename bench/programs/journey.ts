import { createServer } from 'node:http'
import { connect, type Socket } from 'node:net'
import { isWhole } from '../put-load.ts'

/** What to send on its way, and how fast. */
export interface Journey {
  readonly port: number
  /** The ports of several nodes, among which connections are shared out; only `port` where there are none. */
  readonly ports?: readonly number[]
  /** The head of the request that sends a message, up to the length of its body. */
  readonly head: string
  /** The body, with `{n}` for the number of the message. */
  readonly body: string
  /** Messages a second; 0 for as fast as they are accepted. */
  readonly perSecond: number
  readonly messages: number
  readonly connections: number
}

/** What came of it. */
export interface JourneyResult {
  /** Messages a second that were accepted, and that went the whole way. */
  readonly accepted: number
  readonly arrived: number
  /** From the time at which a message was to be sent to the arrival of its notification. */
  readonly p50Ms: number
  readonly p99Ms: number
  readonly worstMs: number
  readonly missing: number
  readonly refused: number
  /** Messages on their way, at each second. */
  readonly backlog: readonly number[]
  readonly clientShare: number
}

/** How long to wait for those that are still on their way when all were sent. */
const restMsMax = 60_000

// Sends messages and receives their notifications, in one process on the client's core: says first
// where it receives, then, once it is told what to send, what came of it.
let begun = new Float64Array(0)
let took: number[] = []
let told = (): void => {}

const receiver = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    response.writeHead(204).end()
    const now = performance.now()
    const text = request.method === 'GET' ? (request.url ?? '') : Buffer.concat(chunks).toString()
    for (const [, digits] of text.matchAll(/"?userSuppliedId"?[:=]"?n(\d+)/g)) {
      const number = Number(digits)
      const at = begun[number] ?? 0
      if (at > 0) took.push(now - at)
      begun[number] = -1
    }
    told()
  })
})
receiver.listen(0, '127.0.0.1', () => {
  const address = receiver.address()
  if (typeof address === 'object' && address !== null) process.send?.({ port: address.port })
})
process.on('message', (work: Journey) => void travel(work).then((found) => process.send?.(found)))
process.on('disconnect', () => process.exit())

async function travel(work: Journey): Promise<JourneyResult> {
  begun = new Float64Array(work.messages)
  took = []
  const backlog: number[] = []
  const cpuBefore = process.cpuUsage()
  const began = performance.now()
  let sent = 0
  const watch = setInterval(() => backlog.push(sent - took.length), 1000)
  let refused = 0
  let acceptedAt = began
  await sendAll(work, began, {
    next: () => {
      sent += 1
      return sent - 1
    },
    answered: (number, isAccepted) => {
      acceptedAt = performance.now()
      if (isAccepted) return
      refused += 1
      begun[number] = -1
    },
  })
  const accepted = (work.messages - refused) / ((acceptedAt - began) / 1000)
  await allArrived(work.messages - refused)
  clearInterval(watch)
  const seconds = (performance.now() - began) / 1000
  const { user, system } = process.cpuUsage(cpuBefore)
  took.sort((a, b) => a - b)
  const at = (share: number): number => took[Math.floor(took.length * share)] ?? 0
  return {
    accepted,
    arrived: took.length / seconds,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    worstMs: took.at(-1) ?? 0,
    missing: work.messages - refused - took.length,
    refused,
    backlog,
    clientShare: (user + system) / 1e6 / seconds,
  }
}

interface Sending {
  next(): number
  answered(number: number, isAccepted: boolean): void
}

/** At a rate a message is due at its time, whether a connection is free or not; that wait counts. */
async function sendAll(work: Journey, began: number, sending: Sending): Promise<void> {
  const free: ((number: number) => void)[] = []
  let answers = 0
  let issued = 0
  const isDue = (): boolean => {
    if (issued >= work.messages) return false
    return work.perSecond === 0 || (issued / work.perSecond) * 1000 <= performance.now() - began
  }
  await new Promise<void>((resolve, reject) => {
    const pump = (): void => {
      while (free.length > 0 && isDue()) {
        issued += 1
        const number = sending.next()
        const due = began + (work.perSecond === 0 ? 0 : (number / work.perSecond) * 1000)
        begun[number] = work.perSecond === 0 ? performance.now() : due
        free.shift()?.(number)
      }
    }
    const timer = setInterval(pump, 1)
    const answered = (number: number, isAccepted: boolean): void => {
      sending.answered(number, isAccepted)
      answers += 1
      if (answers === work.messages) {
        clearInterval(timer)
        sockets.forEach((socket) => socket.destroy())
        resolve()
      } else pump()
    }
    const { ports = [work.port] } = work
    const sockets = Array.from({ length: work.connections }, (_, index) =>
      lane(
        { ...work, port: ports[index % ports.length] ?? work.port },
        answered,
        (send) => free.push(send),
        reject,
      ),
    )
  })
}

/** A connection that sends a message at a time. */
function lane(
  { port, head, body }: Journey,
  answered: (number: number, isAccepted: boolean) => void,
  isFree: (send: (number: number) => void) => void,
  onError: (error: Error) => void,
): Socket {
  let number = 0
  let pending: Buffer = Buffer.alloc(0)
  const socket = connect(port, '127.0.0.1')
  const send = (next: number): void => {
    number = next
    if (body === '') socket.write(head.replaceAll('{n}', String(next)))
    else {
      const text = body.replace('{n}', String(next))
      socket.write(`${head}content-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`)
    }
  }
  socket.setNoDelay(true)
  socket.on('connect', () => isFree(send))
  socket.on('error', onError)
  socket.on('data', (chunk: Buffer) => {
    pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk])
    if (!isWhole(pending)) return
    const isAccepted = pending.toString('latin1', 9, 10) === '2'
    pending = Buffer.alloc(0)
    isFree(send)
    answered(number, isAccepted)
  })
  return socket
}

function allArrived(messages: number): Promise<void> {
  return new Promise((resolve) => {
    const late = setTimeout(() => resolve(), restMsMax)
    told = () => {
      if (took.length < messages) return
      clearTimeout(late)
      resolve()
    }
    told()
  })
}
