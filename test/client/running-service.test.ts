import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { createClient, etagOf, NuncioProblem } from '../../packages/client/src/index.ts'
import { clientSuite } from '../../packages/client/test/suite/client-suite.ts'
import { declaredSuite } from '../../packages/client/test/suite/declared-suite.ts'
import { shop } from '../../packages/client/test/support/shop.ts'
import { defineConfig } from '../../src/config/define-config.ts'
import { choice, text } from '../../src/core/declaration/field.ts'
import { startOnSocket } from '../support/app.ts'

const name = 'the running service'
/** What the types are tested with, and no configuration file may declare. */
const undeclarable = ['digest', 'balance', 'address', 'lines']
const declarations = shop.collections.map(({ fields, ...rest }) => ({
  ...rest,
  fields: Object.fromEntries(
    Object.entries(fields).filter(([field]) => !undeclarable.includes(field)),
  ),
}))

clientSuite(name, (t) => startOnSocket(t))
declaredSuite(name, (t) => startOnSocket(t, { declarations }))

const versioned = defineConfig({
  collections: [
    {
      name: 'people',
      noun: 'person',
      description: 'Whoever buys.',
      fields: {
        fullName: text({ required: true, indexed: true }),
        rank: choice(['GOLD', 'NONE'], { default: 'NONE' }),
      },
    },
    {
      name: 'orders',
      noun: 'order',
      description: 'What a person wants.',
      parent: 'people',
      fields: { title: text({ required: true }) },
    },
  ],
  versions: [
    {
      name: 'v2',
      changes: [
        { kind: 'collectionRenamed', from: 'clients', to: 'people' },
        { kind: 'fieldRenamed', collection: 'people', from: 'name', to: 'fullName' },
        { kind: 'fieldChanged', collection: 'people', field: 'rank', values: { TOP: 'GOLD' } },
      ],
    },
  ],
})

describe('a client of one version of the running service', () => {
  const open = (t: TestContext) =>
    startOnSocket(t, {
      declarations: versioned.collections ?? [],
      versions: versioned.versions ?? [],
    })

  it('speaks that version, in fields, filters, sorts and nested collections', async (t) => {
    const { baseUrl, key } = await open(t)
    const older = createClient<typeof versioned, 'v1'>({ baseUrl, key, version: 'v1' })
    const newest = createClient<typeof versioned>({ baseUrl, key, version: 'v2' })

    await older.clients.put('ann', { name: 'Ann', rank: 'TOP' })
    await older.clients.at('ann').orders.put('tea', { title: 'Tea' })
    const { items } = await older.clients.list({ where: { rank: 'TOP' }, sort: 'name_asc' })
    const ann = await newest.people.update('ann', (now) => ({ ...now, fullName: 'Ann B.' }))
    const titles = []
    for await (const { title } of newest.people.at('ann').orders.all()) titles.push(title)

    assert.deepEqual(
      items.map(({ name: called, rank }) => [called, rank]),
      [['Ann', 'TOP']],
    )
    assert.deepEqual([ann.fullName, ann.rank, titles], ['Ann B.', 'GOLD', ['Tea']])
    assert.equal((await older.clients.get('ann')).name, 'Ann B.')
  })

  it('is told in the words of that version what is wrong', async (t) => {
    const { baseUrl, key } = await open(t)
    const older = createClient<typeof versioned, 'v1'>({ baseUrl, key, version: 'v1' })

    const made = older.clients.create({ name: 1 } as unknown as { name: string })

    await assert.rejects(made, (error) => {
      assert.ok(error instanceof NuncioProblem)
      const [fault] = error.errors
      assert.equal(fault !== undefined && 'pointer' in fault && fault.pointer, '/name')
      return true
    })
  })

  it('asks for too many values for an address in that version, too', async (t) => {
    const { baseUrl, key } = await open(t)
    const newest = createClient<typeof versioned>({ baseUrl, key, version: 'v2' })
    await newest.people.put('ann', { fullName: 'Ann' })
    const others = Array.from({ length: 900 }, (_, index) => `nobody-${index}`)

    const { items } = await newest.people.list({ where: { id: [...others, 'ann'] } })

    assert.equal(items.length, 1)
  })
})

describe('a client of the running service that meets what goes wrong', () => {
  const hello = { to: '+4915112345678', body: 'hello' }

  it('makes one message although the first answer is lost', async (t) => {
    const place = await startOnSocket(t)
    let sent = 0
    const client = createClient({
      ...place,
      fetch: async (url, init) => {
        const answer = await fetch(url, init)
        sent += 1
        if (sent > 1) return answer
        await answer.body?.cancel()
        throw new TypeError('the connection was reset')
      },
    })

    const made = await client.messages.create(hello)
    const { total } = await createClient(place).messages.list({ count: true })

    assert.deepEqual([sent, total], [2, 1])
    assert.equal((await client.messages.get(made.id)).body, 'hello')
  })

  it('waits as long as it is asked to, where the limit of its key is reached', async (t) => {
    const place = await startOnSocket(t, { rateLimit: 20, rateLimitBurst: 2 })
    const client = createClient(place)

    const all = await Promise.all([1, 2, 3, 4].map(() => client.contacts.list()))

    assert.equal(all.length, 4)
  })

  it('is told of maintenance once it has no attempts left, and when to come back', async (t) => {
    const place = await startOnSocket(t)
    const client = createClient({ ...place, retry: { attempts: 1 } })
    const { secret = '' } = await client.keys.create({ name: 'program', scopes: ['*'] })
    const program = createClient({ ...place, key: secret, retry: { attempts: 1 } })
    const endsAt = new Date(
      Date.parse((await client.keys.list()).items[0]?.createdAt ?? '') + 300_000,
    )

    await client.maintenanceWindows.create({ reason: 'A new disk.', endsAt })

    await assert.rejects(program.messages.create(hello), (error) => {
      assert.ok(error instanceof NuncioProblem)
      assert.deepEqual([error.status, error.type], [503, 'unavailable'])
      assert.ok((error.retryAfterMs ?? 0) > 290_000)
      return true
    })
  })

  it('gives a list of all up at once when its signal is given', async (t) => {
    const client = createClient(await startOnSocket(t))
    for (const id of ['a', 'b', 'c']) await client.contacts.put(id, { address: '12345' })
    const controller = new AbortController()
    const seen: string[] = []

    const reading = (async () => {
      for await (const { id } of client.contacts.all(
        { pageSize: 1 },
        { signal: controller.signal },
      )) {
        seen.push(id)
        controller.abort(new Error('enough'))
      }
    })()

    await assert.rejects(reading, /enough/)
    assert.deepEqual(seen, ['a'])
  })

  it('is refused a change of what somebody else has changed', async (t) => {
    const client = createClient(await startOnSocket(t))
    const first = await client.contacts.put('ann', { address: '12345' })
    await client.contacts.patch('ann', { name: 'Ann' })

    const late = client.contacts.put('ann', { address: '54321' }, { ifMatch: etagOf(first) ?? '' })

    await assert.rejects(late, { status: 412, type: 'precondition-failed' })
  })
})
