import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { createClient, etagOf, type Client } from '../../src/index.ts'

/** Address of a service, and an administrator's key to it. */
export interface Place {
  readonly baseUrl: string
  readonly key: string
}

/** Starts an empty service that ends with the test. */
export type Open = (t: TestContext) => Promise<Place>

const hello = { to: '+4915112345678', body: 'hello' }
const ann = { name: 'Ann', address: '+4915112345678' }

/** Tests of a client with a service, over the built-in collections. */
export function clientSuite(name: string, open: Open): void {
  const clientOf = async (t: TestContext): Promise<Client> => createClient(await open(t))

  describe(`a client of ${name}`, () => {
    it('makes a message and reads it again', async (t) => {
      const client = await clientOf(t)

      const made = await client.messages.create({ ...hello, userSuppliedId: 'order 17' })
      const read = await client.messages.get(made.id)

      assert.deepEqual([read.id, read.body, read.userSuppliedId], [made.id, 'hello', 'order 17'])
      assert.equal(read.messageClass, 1)
    })

    it('makes one instance under one key', async (t) => {
      const client = await clientOf(t)

      const first = await client.contacts.create(ann, { idempotencyKey: 'import-1' })
      const again = await client.contacts.create(ann, { idempotencyKey: 'import-1' })
      const other = await client.contacts.create(ann)

      assert.equal(again.id, first.id)
      assert.notEqual(other.id, first.id)
    })

    it('puts an instance under its own identifier, and the same again changes nothing', async (t) => {
      const client = await clientOf(t)

      const first = await client.contacts.put('ann-1', ann)
      const again = await client.contacts.put('ann-1', { ...first, name: 'Ann' })

      assert.deepEqual(again, first)
      assert.equal(etagOf(again), etagOf(first))
    })

    it('changes single fields, and brings back a default with null', async (t) => {
      const client = await clientOf(t)
      await client.contacts.put('ann-1', { ...ann, tags: ['a'] })

      const patched = await client.contacts.patch('ann-1', { name: 'Anna', tags: null })

      assert.deepEqual([patched.name, patched.tags, patched.address], ['Anna', [], ann.address])
    })

    it('removes an instance', async (t) => {
      const client = await clientOf(t)
      await client.contacts.put('ann-1', ann)

      await client.contacts.delete('ann-1')

      await assert.rejects(client.contacts.get('ann-1'), { status: 404, type: 'not-found' })
      await assert.rejects(client.contacts.delete('ann-1'), { type: 'not-found' })
    })

    it('reads what it knows already without having it sent again', async (t) => {
      const client = await clientOf(t)
      const known = await client.contacts.put('ann-1', ann)

      const same = await client.contacts.get('ann-1', { known })
      await client.contacts.patch('ann-1', { name: 'Anna' })
      const newer = await client.contacts.get('ann-1', { known })

      assert.equal(same, known)
      assert.equal(newer.name, 'Anna')
    })

    it('undoes no concurrent change', async (t) => {
      const client = await clientOf(t)
      const { id } = await client.contacts.create(ann)

      await Promise.all(
        ['a', 'b', 'c'].map((tag) =>
          client.contacts.update(id, (now) => ({ ...now, tags: [...now.tags, tag] })),
        ),
      )

      const { tags } = await client.contacts.get(id)
      assert.deepEqual(tags.toSorted(), ['a', 'b', 'c'])
    })

    it('creates an instance only if it does not exist, on request', async (t) => {
      const client = await clientOf(t)
      await client.contacts.put('ann-1', ann, { ifNoneMatch: '*' })

      const second = client.contacts.put('ann-1', ann, { ifNoneMatch: '*' })

      await assert.rejects(second, { status: 412, type: 'precondition-failed' })
    })

    it('gets the name of a wrong field', async (t) => {
      const client = await clientOf(t)

      const made = client.messages.create({ ...hello, protocolId: 256 })

      await assert.rejects(made, (error: { errors: { pointer: string }[]; requestId: string }) => {
        assert.deepEqual(
          error.errors.map(({ pointer }) => pointer),
          ['/protocolId'],
        )
        assert.match(error.requestId, /^request_/)
        return true
      })
    })

    it('is refused without a valid key', async (t) => {
      const { baseUrl } = await open(t)

      const listed = createClient({ baseUrl, key: 'nuncio_wrong' }).messages.list()

      await assert.rejects(listed, { status: 401, type: 'unauthorized' })
    })

    it('reaches nothing below a parent that is not there', async (t) => {
      const client = await clientOf(t)

      const listed = client.webhooks.at('unknown').deliveries.list()

      await assert.rejects(listed, { type: 'not-found' })
    })
  })

  describe(`a list of ${name}`, () => {
    const people = async (t: TestContext): Promise<Client> => {
      const client = await clientOf(t)
      for (const [index, name] of ['Ann', 'Ben', 'Cleo', 'Dora', 'Emil'].entries()) {
        const tags = index % 2 === 0 ? ['even'] : ['odd', 'strange']
        await client.contacts.put(`person-${index}`, { ...ann, name, tags })
      }
      return client
    }
    const names = (items: readonly { readonly name: string | null }[]) =>
      items.map((each) => each.name)

    it('is filtered, sorted and counted', async (t) => {
      const client = await people(t)

      const odd = await client.contacts.list({
        where: { tags: 'odd' },
        sort: 'name_desc',
        count: true,
      })
      const some = await client.contacts.list({
        where: { name: { gte: 'B', lt: 'E' }, id: { ne: ['person-2', 'unknown'] } },
      })
      const like = await client.contacts.list({ where: { name: { like: '*e*' } } })

      assert.deepEqual([names(odd.items), odd.total], [['Dora', 'Ben'], 2])
      assert.deepEqual(names(some.items), ['Ben', 'Dora'])
      assert.deepEqual(names(like.items), ['Ben', 'Cleo'])
    })

    it('has the fields that were asked for', async (t) => {
      const client = await people(t)

      const { items } = await client.contacts.list({ fields: ['name'], pageSize: 1 })

      assert.deepEqual(items, [{ id: 'person-0', name: 'Ann' }])
    })

    it('reads page after page', async (t) => {
      const client = await people(t)

      const first = await client.contacts.list({ sort: 'name_asc', pageSize: 3 })
      const second = await client.contacts.list({
        sort: 'name_asc',
        pageSize: 3,
        after: first.next ?? '',
      })
      const all = []
      for await (const each of client.contacts.all({ sort: 'name_desc', pageSize: 2 }))
        all.push(each)

      assert.deepEqual(names([...first.items, ...second.items]), names(all.toReversed()))
      assert.equal(second.next, null)
    })

    it('may be asked for by more values than an address can hold', async (t) => {
      const client = await people(t)
      const nobody = Array.from({ length: 700 }, (_, index) => `nobody-${index}`)

      const ids = ['person-4', ...nobody, 'person-1']
      const { items } = await client.contacts.list({ where: { id: ids }, sort: 'name_asc' })
      const found = []
      for await (const each of client.contacts.all({ where: { id: ids }, pageSize: 1 }))
        found.push(each)

      assert.deepEqual(names(items), ['Ben', 'Emil'])
      assert.equal(found.length, 2)
    })
  })

  describe(`the notifications of ${name}`, () => {
    it('come by asking, and by a stream from the place where the asking stopped', async (t) => {
      const client = await clientOf(t)

      const first = await client.messages.create(hello)
      const asked = client.notifications.poll({ everyMs: 1 })[Symbol.asyncIterator]()
      const { value: polled } = await asked.next()
      await asked.return?.()
      const { next } = await client.notifications.list()
      const stream = client.notifications.stream({ after: next ?? '' })
      const streamed = stream[Symbol.asyncIterator]()
      const second = await client.messages.create(hello)
      const { value: record } = await streamed.next()
      await streamed.return?.()

      assert.deepEqual([polled?.id, polled?.status.type], [first.id, 'DELIVERED'])
      assert.deepEqual([record?.id, record?.status.type], [second.id, 'DELIVERED'])
      assert.equal(Object.keys(record ?? {}).length, 14)
      assert.notEqual(stream.lastEventId, next)
    })
  })
}
