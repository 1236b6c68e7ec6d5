import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createClient, etagOf } from '../src/index.ts'
import { scripted } from './support/a-client.ts'
import { problem } from './support/scripted-server.ts'

const contact = { id: 'contact_1', name: 'Ann', address: '+1', tags: [], attributes: {} }
const tagged = { headers: { etag: '"1"' }, body: contact }
const ann = { name: 'Ann', address: '+1' }

describe('an instance', () => {
  it('is made, read, replaced, changed and removed by the methods of HTTP', async (t) => {
    const { client, server } = await scripted(t, [tagged, tagged, tagged, tagged, { status: 204 }])

    await client.contacts.create(ann)
    await client.contacts.get('contact_1')
    await client.contacts.put('contact_1', ann)
    await client.contacts.patch('contact_1', { name: null })
    await client.contacts.delete('contact_1')

    assert.deepEqual(
      server.requests.map(({ method, target, body }) => `${method} ${target} ${body}`.trim()),
      [
        'POST /v1/contacts {"name":"Ann","address":"+1"}',
        'GET /v1/contacts/contact_1',
        'PUT /v1/contacts/contact_1 {"name":"Ann","address":"+1"}',
        'PATCH /v1/contacts/contact_1 {"name":null}',
        'DELETE /v1/contacts/contact_1',
      ],
    )
    assert.deepEqual(
      server.requests.map(({ headers }) => headers['content-type']),
      [
        'application/json',
        undefined,
        'application/json',
        'application/merge-patch+json',
        undefined,
      ],
    )
  })

  it('is shown as it would be, on a dry run', async (t) => {
    const { client, server } = await scripted(t, [tagged, tagged, tagged, tagged])
    const dryRun = true

    await client.contacts.create(ann, { dryRun })
    await client.contacts.put('contact_1', ann, { dryRun })
    await client.contacts.patch('contact_1', ann, { dryRun })
    await client.contacts.create(ann, { dryRun: false })

    assert.deepEqual(
      server.requests.map(({ headers }) => headers['prefer']),
      ['handling=dry-run', 'handling=dry-run', 'handling=dry-run', undefined],
    )
  })

  it('within another is reached through it', async (t) => {
    const { client, server } = await scripted(t, [{ body: [] }, { body: { id: 'o/1' } }])

    await client.customers.at('ann').orders.list()
    await client.customers.at('a b').orders.get('o/1')

    assert.deepEqual(
      server.requests.map(({ target }) => target),
      ['/v1/customers/ann/orders', '/v1/customers/a%20b/orders/o%2F1'],
    )
  })

  it('cannot have an identifier that no address can name', async (t) => {
    const { client, server } = await scripted(t, [])

    for (const id of ['', '.', '..']) {
      await assert.rejects(client.contacts.get(id), TypeError)
      assert.throws(() => client.customers.at(id), TypeError)
    }
    assert.equal(server.requests.length, 0)
  })

  it('shows the points in time that it is given as dates', async (t) => {
    const { client, server } = await scripted(t, [tagged])

    await client.messages.create({ to: '+1', body: 'hello', scheduledAt: new Date(0) })

    assert.equal(JSON.parse(server.requests[0]?.body ?? '').scheduledAt, '1970-01-01T00:00:00.000Z')
  })

  it('is made under the key that the caller chose', async (t) => {
    const { client, server } = await scripted(t, [tagged])

    await client.contacts.create(ann, { idempotencyKey: 'import-17' })

    assert.equal(server.requests[0]?.headers['idempotency-key'], 'import-17')
  })
})

describe('the entity tag of an instance', () => {
  it('is known for instances read or written, and for no other objects', async (t) => {
    const { client } = await scripted(t, [tagged])

    const read = await client.contacts.get('contact_1')

    assert.equal(etagOf(read), '"1"')
    assert.equal(etagOf({ ...read }), undefined)
    assert.deepEqual(Object.keys(read), Object.keys(contact))
  })

  it('is the condition of a change', async (t) => {
    const { client, server } = await scripted(t, [
      tagged,
      problem(412, 'precondition-failed'),
      problem(412, 'precondition-failed'),
    ])
    const read = await client.contacts.get('contact_1')

    const changed = client.contacts.put('contact_1', ann, { ifMatch: etagOf(read) })
    await assert.rejects(changed, { type: 'precondition-failed', uncertain: false })
    const made = client.contacts.put('contact_1', ann, { ifNoneMatch: '*' })
    await assert.rejects(made, { type: 'precondition-failed' })

    const conditions = server.requests.map(({ headers }) => [
      headers['if-match'],
      headers['if-none-match'],
    ])
    assert.deepEqual(conditions, [
      [undefined, undefined],
      ['"1"', undefined],
      [undefined, '*'],
    ])
  })

  it('avoids a second transfer of a known instance', async (t) => {
    const { client, server } = await scripted(t, [tagged, { status: 304 }, tagged])
    const known = await client.contacts.get('contact_1')

    const same = await client.contacts.get('contact_1', { known })
    const newer = await client.contacts.get('contact_1', { known })

    assert.equal(same, known)
    assert.notEqual(newer, known)
    assert.equal(server.requests[1]?.headers['if-none-match'], '"1"')
  })
})

describe('a client', () => {
  it('sends its key, its header fields and those of the request', async (t) => {
    const { client, server } = await scripted(t, [tagged], { headers: { 'x-a': '1', 'x-b': '1' } })

    await client.contacts.get('contact_1', { headers: { 'x-b': '2' } })

    const { headers } = server.requests[0] ?? {}
    assert.deepEqual(
      [headers?.['authorization'], headers?.['accept'], headers?.['x-a'], headers?.['x-b']],
      ['Bearer nuncio_key', 'application/json', '1', '2'],
    )
  })

  it('without a key sends no authorization, so that the cookie of a browser counts', async (t) => {
    const { client, server } = await scripted(t, [tagged], { key: undefined })

    await client.contacts.get('contact_1')

    assert.equal(server.requests[0]?.headers['authorization'], undefined)
  })

  it('finds the service under a prefix, with or without a slash at its end', async (t) => {
    const { server } = await scripted(t, [{ body: [] }, { body: [] }])

    for (const baseUrl of [`${server.url}/sms`, `${server.url}/sms/`]) {
      await createClient({ baseUrl, key: 'nuncio_key' }).messages.list()
    }

    assert.deepEqual(
      server.requests.map(({ target }) => target),
      ['/sms/v1/messages', '/sms/v1/messages'],
    )
  })

  it('refuses an address that is none', () => {
    for (const baseUrl of ['messages.example.com', 'file:///tmp', 'http://a.example/?x=1']) {
      assert.throws(() => createClient({ baseUrl, key: 'nuncio_key' }), TypeError)
    }
  })

  it('sends by the fetch that it is given', async () => {
    const urls: string[] = []
    const client = createClient({
      baseUrl: 'https://messages.example.com',
      key: 'nuncio_key',
      fetch: async (url) => {
        urls.push(url)
        return Response.json([])
      },
    })

    await client.messages.list({ page: 1 })

    assert.deepEqual(urls, ['https://messages.example.com/v1/messages?page=1'])
  })

  it('can be awaited, printed and compared like any other object', async (t) => {
    const { client } = await scripted(t, [])

    assert.equal(await client, client)
    assert.equal(JSON.stringify(client), '{"notifications":{}}')
    assert.equal(String(client), '[object Object]')
    assert.equal(client.messages, client.messages)
  })
})
