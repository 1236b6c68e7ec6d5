import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Read } from '../support/api.ts'
import { noPostgres, testDatabase } from '../support/postgres/database.ts'
import { virtualClock } from '../support/virtual-clock.ts'
import { temporaryDirectory } from '../stores/temporary-directory.ts'
import { answersOf } from './support/answers.ts'
import { move } from './support/move.ts'
import { adminKey, makeTraffic, settled, startOn } from './support/traffic.ts'

const skip = await noPostgres()
const key = { key: adminKey }

/** Credits have no instances: they show movements. SQLite adds heads of logs when it trims them. */
const neverFilled = {
  sqlite: ['log_heads', 'c/conversations', 'c/credits', 'c/sign_in_codes'],
  postgres: ['c/conversations', 'c/credits', 'c/sign_in_codes'],
}

/** What the receivers of the source answer. */
const isTold = (path: string): number => (path === '/takes' ? 204 : 503)

const ways = [
  ['sqlite', 'postgres'],
  ['postgres', 'sqlite'],
] as const

for (const [from, to] of ways) {
  describe(`a store that is moved from ${from} to ${to}`, { skip }, () => {
    it('gives the same answers in the same order', async () => {
      await using places = await openPlaces()
      const clock = virtualClock()
      await using first = await startOn(places[from], { clock, statusOf: isTold })
      await makeTraffic(first, clock)
      const before = await answersOf(first.api)
      await first.stop()

      const moved = await move(places[from], places[to])

      const unused = [...moved.tables].filter(([, { rows }]) => rows === 0).map(([name]) => name)
      assert.deepEqual(unused, neverFilled[from])
      await using second = await startOn(places[to], { clock, seed: 8, statusOf: isTold })
      assert.deepEqual(await answersOf(second.api), before)
    })

    it('goes on telling each webhook behind what it was told, nothing twice, nothing left out', async () => {
      await using places = await openPlaces()
      const clock = virtualClock()
      await using first = await startOn(places[from], { clock, statusOf: isTold })
      await makeTraffic(first, clock)
      const log = await recordsOf(first.api.get('/v1/notifications?after=0&pageSize=1000', key))
      await first.stop()

      await move(places[from], places[to])

      await using second = await startOn(places[to], { clock, seed: 8 })
      await second.api.put('/v1/messages/after', { to: '+4915112345678', body: 'after' }, key)
      await second.api.patch('/v1/webhooks/off', { active: true }, key)
      const paths = ['/takes', '/refuses', '/off']
      await settled(clock, () =>
        paths.every((path) => ofPath(second, path).includes('after DELIVERED')),
      )
      assert.deepEqual(ofPath(first, '/takes'), [...new Set(ofPath(first, '/takes'))])
      assert.deepEqual(ofPath(second, '/takes'), ['after SENT', 'after DELIVERED'])
      assert.deepEqual(ofPath(first, '/refuses'), [])
      assert.deepEqual(new Set(ofPath(second, '/refuses')), new Set([...log, 'after DELIVERED']))
      assert.deepEqual(ofPath(second, '/off'), [...log, 'after DELIVERED'])
    })
  })
}

describe('a store that is moved to PostgreSQL', { skip }, () => {
  it('knows the places that clients were given before', async () => {
    await using places = await openPlaces()
    const clock = virtualClock()
    await using first = await startOn(places.sqlite, { clock })
    await makeTraffic(first, clock)
    const page = await first.api.get('/v1/notifications?after=0&pageSize=3', key)
    const rest = /<([^>]+)>; rel="next"/.exec(page.headers['link'] ?? '')?.[1] ?? ''
    const before = await first.api.get(rest, key)
    await first.stop()

    await move(places.sqlite, places.postgres)

    await using second = await startOn(places.postgres, { clock, seed: 8 })
    const after = await second.api.get(rest, key)
    assert.equal(before.json.length, 3)
    assert.deepEqual([after.status, after.text], [200, before.text])
  })
})

async function openPlaces() {
  const directory = await temporaryDirectory()
  const database = await testDatabase()
  return {
    sqlite: `sqlite:${directory.file('nuncio.db')}`,
    postgres: database.url,
    async [Symbol.asyncDispose]() {
      await directory[Symbol.asyncDispose]()
      await database[Symbol.asyncDispose]()
    },
  }
}

async function recordsOf(page: Promise<Read>): Promise<readonly string[]> {
  const records: readonly { id: string; status: { type: string } }[] = (await page).json
  return records
    .map((record) => `${record.id} ${record.status.type}`)
    .filter((name) => name.endsWith(' DELIVERED'))
}

function ofPath({ told }: { readonly told: ReadonlyMap<string, readonly string[]> }, path: string) {
  return told.get(path) ?? []
}
