import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { describe, it, type TestContext } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { systemClock } from '../../src/core/ports/clock.ts'
import { bytesInFlight } from '../../src/http/server/bytes-in-flight.ts'
import { serve } from '../../src/http/server/server.ts'
import { startApi } from '../support/api.ts'
import { seededRandom } from '../support/seeded-random.ts'
import { dice } from './support/dice.ts'
import { rawRequests, unfinished, type RawRequests } from './support/raw-requests.ts'

/** Another one is tried with FUZZ_SEED. */
const seed = Number(process.env['FUZZ_SEED'] ?? 20_260_101)
/** Connections in each of three equal rounds. */
const perRound = Number(process.env['FUZZ_CONNECTIONS'] ?? 1500)
const atOnce = 16
const deadlineMs = 20_000
/** The server is quick to lose patience, so that a test need not have much. */
const patience = { requestTimeoutMs: 500, checkEveryMs: 50 }

describe('Whatever comes over a connection', () => {
  it('is answered in HTTP or closed, without a fault, and leaves nothing behind', async (t) => {
    const { port, key } = await start(t)
    const heaps: number[] = []
    let requests = 0

    for (let round = 0; round < 3; round += 1) {
      const random = dice(seededRandom(seed))
      const all = Array.from({ length: perRound }, () => rawRequests(random, key))
      requests += await sendAll(port, all, `FUZZ_SEED=${seed}`)
      heaps.push(usedHeap())
    }

    t.diagnostic(`${requests} requests over ${3 * perRound} connections`)
    const answer = await fetch(`http://127.0.0.1:${port}/v1/contacts`, {
      headers: { authorization: `Bearer ${key}`, connection: 'close' },
    })
    assert.equal(answer.status, 200)
    await answer.text()
    const [first = 0, , last = 0] = heaps
    assert.ok(last < first + 30_000_000, `the heap grew from ${first} to ${last} octets`)
    await nothingOpen()
  })

  it('is closed in time where it stops in the middle', async (t) => {
    const { port, key } = await start(t)
    const random = dice(seededRandom(seed))
    const all = Array.from({ length: 150 }, () => unfinished(random, key))

    const count = await sendAll(port, all, `FUZZ_SEED=${seed}, unfinished`)

    assert.equal(count, 150)
    await nothingOpen()
  })
})

async function start(t: TestContext): Promise<{ readonly port: number; readonly key: string }> {
  const api = await startApi(t, { config: { corsOrigins: ['https://a.example'] } })
  const key = await api.newAccount('ours')
  const parts = {
    newRequestId: () => 'request_1',
    clock: systemClock,
    inFlight: bytesInFlight(),
    timeouts: patience,
    // An address with many faults would be cut off, and what comes after them would not be tried.
    isProxy: () => true,
  }
  const server = await serve(
    api.handle,
    { host: '127.0.0.1', port: 0, maxConnections: 1000 },
    parts,
  )
  t.after(() => server.close())
  return { port: Number(new URL(server.url).port), key }
}

/** Sends all, some at once; returns how many requests they were meant to be. */
async function sendAll(port: number, all: readonly RawRequests[], what: string): Promise<number> {
  let [next, requests] = [0, 0]
  const worker = async (): Promise<void> => {
    for (let raw = all[next]; raw !== undefined; raw = all[next]) {
      const place = `${what}, connection ${next}`
      next += 1
      requests += raw.count
      check(await send(port, raw, place), raw, place)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  return requests
}

/** All that comes back until the connection is closed. */
async function send(port: number, { pieces, ends }: RawRequests, what: string): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const received: Buffer[] = []
  const done = (): void => resolve(Buffer.concat(received).toString('latin1'))
  const socket = connect({ port, host: '127.0.0.1', noDelay: true }, () => {
    for (const piece of pieces) socket.write(piece)
    if (ends) socket.end()
  })
  const late = setTimeout(() => {
    socket.destroy()
    reject(new Error(`${what}: the connection is still open`))
  }, deadlineMs)
  socket.on('data', (piece) => received.push(Buffer.from(piece)))
  // A server that has refused may close while the client still writes.
  socket.on('error', () => {})
  socket.on('close', done)
  return promise.finally(() => clearTimeout(late))
}

/** Every answer begins as one, and none says that the service has failed. */
function check(answers: string, { pieces }: RawRequests, what: string): void {
  const statuses = [...answers.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status))
  const faults = statuses.filter((status) => status >= 500 && status !== 501)
  const shown = Buffer.concat(pieces).toString('latin1').slice(0, 500)
  assert.deepEqual(faults, [], `${what}: ${JSON.stringify(shown)}\n${answers.slice(0, 1000)}`)
  assert.ok(answers === '' || answers.startsWith('HTTP/1.1 '), `${what}: ${answers.slice(0, 200)}`)
  assert.doesNotMatch(answers, /node:internal|node_modules|\bERR_[A-Z]|\.ts:\d+/, what)
}

/** Waits until no socket is left. */
async function nothingOpen(): Promise<void> {
  const isOpen = (): boolean => process.getActiveResourcesInfo().includes('TCPSocketWrap')
  const until = performance.now() + deadlineMs
  while (isOpen() && performance.now() < until) await new Promise(setImmediate)
  assert.equal(isOpen(), false)
}

function usedHeap(): number {
  setFlagsFromString('--expose-gc')
  const collect: () => void = runInNewContext('gc')
  collect()
  collect()
  return process.memoryUsage().heapUsed
}
