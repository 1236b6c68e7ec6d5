import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { PlainResponse, PlainRequest } from '../../src/http/server/request.ts'
import { sqliteStore } from '../../src/stores/sqlite/sqlite-store.ts'
import { flushAtOnce } from '../support/flush-at-once.ts'
import { isolationOffer as offer } from '../isolation/support/offer.ts'
import { temporaryDirectory } from '../stores/temporary-directory.ts'
import { startApi, type TestApi } from '../support/api.ts'
import { trials } from '../support/trials.ts'
import { seededRandom } from '../support/seeded-random.ts'
import { checkAnswer, type Seen } from './support/check-answer.ts'
import { dice } from './support/dice.ts'
import { everyFieldWithEveryValue, foundations, malformed } from './support/requests.ts'

/** Another one is tried with FUZZ_SEED. */
const seed = Number(process.env['FUZZ_SEED'] ?? 20_260_101)
/** Requests at random in each of three equal rounds. */
const perRound = Number(process.env['FUZZ_REQUESTS'] ?? trials(2500))
/** How long an answer may take, in milliseconds; the machine has other things to do. */
const deadlineMs = 20_000

describe('Whatever is asked', () => {
  it('is answered without a fault, and leaves nothing behind', async (t) => {
    const directory = await temporaryDirectory()
    const store = await sqliteStore(
      directory.file('nuncio.db'),
      offer.collections,
      () => {},
      flushAtOnce,
    )
    const api = await startApi(t, { store, offer, config: { corsOrigins: ['https://a.example'] } })
    t.after(() => directory[Symbol.asyncDispose]())
    const keys = { account: await api.newAccount('ours'), admin: api.adminKey }
    const heaps: number[] = []
    let asked = 0

    for (const request of foundations(keys)) {
      const { status, text } = await soon(api, request)
      assert.equal(status, 200, `${request.target} ${text}`)
    }
    for (const request of everyFieldWithEveryValue(keys)) {
      await ask(api, request, `every field, request ${asked}`)
      asked += 1
    }
    for (let round = 0; round < 3; round += 1) {
      const random = dice(seededRandom(seed))
      for (let index = 0; index < perRound; index += 1) {
        const request = malformed(random, random.once(10) ? keys.admin : keys.account)
        await ask(api, request, `FUZZ_SEED=${seed}, round ${round}, request ${index}`)
        asked += 1
      }
      heaps.push(usedHeap())
    }

    const well = await api.get('/v1/contacts', { key: keys.account })
    assert.equal(well.status, 200)
    assert.ok(asked >= 20_000, `only ${asked} requests`)
    const [first = 0, , last = 0] = heaps
    assert.ok(last < first + 30_000_000, `the heap grew from ${first} to ${last} octets`)
  })
})

async function ask(api: TestApi, request: PlainRequest, what: string): Promise<void> {
  try {
    const answer = await soon(api, request)
    checkAnswer(request.method, answer)
    await putOff(api, request, answer)
  } catch (error) {
    throw new Error(`${what}: ${shown(request)}`, { cause: error })
  }
}

/** Waits for an answer, but not for ever. */
async function soon(api: TestApi, request: PlainRequest): Promise<Seen> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Error('no answer in time')), deadlineMs)
  try {
    const { status, headers, body } = await Promise.race([answered(api, request), late.promise])
    return { status, headers, text: await firstOf(body) }
  } finally {
    clearTimeout(timer)
  }
}

/** The figures are gathered with pauses: time goes on while they are. */
async function answered({ handle, clock }: TestApi, request: PlainRequest): Promise<PlainResponse> {
  let isOver = false
  const answer = Promise.resolve(handle(request)).finally(() => {
    isOver = true
  })
  while (request.target.startsWith('/metrics') && !isOver) await clock.advance(10)
  return answer
}

/** A text, or the beginning of a stream. */
async function firstOf(body: string | Uint8Array | AsyncIterable<string> | null): Promise<string> {
  if (body === null || typeof body === 'string') return body ?? ''
  if (body instanceof Uint8Array) return Buffer.from(body).toString()
  for await (const chunk of body) return chunk
  return ''
}

/** A maintenance window by chance would end the test for everyone. */
async function putOff(api: TestApi, { method, target }: PlainRequest, answer: Seen): Promise<void> {
  const changes = ['POST', 'PUT', 'PATCH'].includes(method)
  if (!changes || !/maintenanceWindows/.test(target) || answer.status >= 300) return
  const { id }: { id?: string } = JSON.parse(answer.text)
  if (id === undefined) return
  await api.put(`/v1/maintenanceWindows/${id}`, { startsAt: '2030-01-01T00:00:00Z' })
}

function usedHeap(): number {
  setFlagsFromString('--expose-gc')
  const collect: () => void = runInNewContext('gc')
  collect()
  collect()
  return process.memoryUsage().heapUsed
}

function shown({ method, target, headers, body }: PlainRequest): string {
  const { authorization: _, ...others } = headers
  const text = Buffer.from(body).toString().slice(0, 1000)
  return `${method} ${target.slice(0, 1000)} ${JSON.stringify(others).slice(0, 1000)}\n${text}`
}
