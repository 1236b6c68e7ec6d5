import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { nextCursor } from '../src/operations/next-cursor.ts'
import { scripted } from './support/a-client.ts'

const empty = { body: [] }

describe('a list', () => {
  it('without a query asks for the collection alone', async (t) => {
    const { client, server } = await scripted(t, [{ body: [{ id: 'message_1' }] }])

    const page = await client.messages.list()

    assert.deepEqual(page, { items: [{ id: 'message_1' }], next: null })
    assert.deepEqual(server.requests[0]?.target, '/v1/messages')
  })

  it('turns conditions into parameters', async (t) => {
    const { client, server } = await scripted(t, [empty])

    await client.customers.list({
      where: {
        name: ['Ann', 'Ben'],
        'address.town': null,
        regular: true,
        'notes.colour': { like: 'r*' },
        createdAt: { gte: new Date(Date.UTC(2026, 0, 1)), lt: '2026-02-01T00:00:00Z' },
        tags: { ne: ['old', 'lost'] },
        friend: undefined,
      },
    })

    const { searchParams } = new URL(server.requests[0]?.target ?? '', server.url)
    assert.deepEqual(
      [...searchParams],
      [
        ['name', 'Ann'],
        ['name', 'Ben'],
        ['address.town', 'null'],
        ['regular', 'true'],
        ['notes.colour_like', 'r*'],
        ['createdAt_gte', '2026-01-01T00:00:00.000Z'],
        ['createdAt_lt', '2026-02-01T00:00:00Z'],
        ['tags_ne', 'old'],
        ['tags_ne', 'lost'],
      ],
    )
  })

  it('turns the rest of a query into parameters', async (t) => {
    const { client, server } = await scripted(t, [empty])

    await client.customers.list({
      sort: ['name_asc', 'createdAt_desc'],
      search: 'ann & co',
      page: 2,
      pageSize: 10,
      fields: ['name', 'tags'],
    })

    assert.equal(
      server.requests[0]?.target,
      '/v1/customers?sort=name_asc&sort=createdAt_desc&search=ann+%26+co' +
        '&page=2&pageSize=10&fields=name%2Ctags',
    )
  })

  it('that can select nothing is empty, and is not asked for', async (t) => {
    const { client, server } = await scripted(t, [])

    const page = await client.messages.list({ where: { id: [] }, count: true })

    assert.deepEqual(page, { items: [], next: null, total: 0 })
    assert.equal(server.requests.length, 0)
  })

  it('asks for the total only on request', async (t) => {
    const counted = { headers: { 'x-total-count': '17' }, body: [] }
    const { client, server } = await scripted(t, [counted, empty])

    const { total } = await client.messages.list({ count: true })
    await client.messages.list()

    assert.equal(total, 17)
    assert.deepEqual(
      server.requests.map(({ headers }) => headers['prefer']),
      ['count=exact', undefined],
    )
  })

  it('with an address of 8,000 octets is a GET, with one more a POST that makes nothing', async (t) => {
    const { client, server } = await scripted(t, [empty, empty])
    const fitting = 'x'.repeat(8000 - '/v1/messages?body='.length)

    await client.messages.list({ where: { body: fitting } })
    await client.messages.list({ where: { body: `${fitting}x`, from: ['a', 'b'] }, count: true })

    const [short, long] = server.requests
    assert.deepEqual([short?.method, short?.target.length], ['GET', 8000])
    assert.deepEqual([long?.method, long?.target], ['POST', '/v1/messages'])
    assert.equal(long?.headers['x-http-method-override'], 'GET')
    assert.equal(long?.headers['content-type'], 'application/json')
    assert.equal(long?.headers['idempotency-key'], undefined)
    assert.equal(long?.headers['prefer'], 'count=exact')
    assert.deepEqual(JSON.parse(long?.body ?? ''), { body: [`${fitting}x`], from: ['a', 'b'] })
  })

  it('that is too long for an address is repeated like any other', async (t) => {
    const { client, server, clock } = await scripted(t, ['drop', empty])

    const page = client.messages.list({ where: { body: 'x'.repeat(8000) } })
    await clock.pass(125)

    assert.deepEqual((await page).items, [])
    assert.equal(server.requests[1]?.method, 'POST')
  })
})

describe('all instances', () => {
  const next = (cursor: string) => ({
    link: `</v1/messages?after=${cursor}&sort=to_asc>; rel="next"`,
  })

  it('are read page after page, with the same query', async (t) => {
    const { client, server } = await scripted(t, [
      { headers: next('c1'), body: [{ id: 'a' }, { id: 'b' }] },
      { headers: next('c2'), body: [{ id: 'c' }] },
      { body: [{ id: 'd' }] },
    ])

    const ids = []
    for await (const { id } of client.messages.all({ sort: 'to_asc', page: 2 })) ids.push(id)

    assert.deepEqual(ids, ['a', 'b', 'c', 'd'])
    assert.deepEqual(
      server.requests.map(({ target }) => target),
      [
        '/v1/messages?sort=to_asc&page=2&pageSize=500',
        '/v1/messages?sort=to_asc&pageSize=500&after=c1',
        '/v1/messages?sort=to_asc&pageSize=500&after=c2',
      ],
    )
  })

  it('are read no further than they are wanted', async (t) => {
    const { client, server } = await scripted(t, [{ headers: next('c1'), body: [{ id: 'a' }] }])

    for await (const { id } of client.messages.all({ pageSize: 1 })) {
      assert.equal(id, 'a')
      break
    }

    assert.equal(server.requests.length, 1)
  })
})

describe('the link to the next page', () => {
  const links: [field: string | null, cursor: string | null][] = [
    [null, null],
    ['', null],
    ['</v1/messages>; rel="first"', null],
    ['</v1/messages>; rel="first", </v1/messages?after=c%2B1&pageSize=2>; rel="next"', 'c+1'],
    ['</v1/messages?after=c1>;rel=next', 'c1'],
    ['</v1/messages?after=c1>; title="a, b; rel=prev"; rel="last next"', 'c1'],
    ['</v1/messages?after=c1>; rel="nextish"', null],
    ['</v1/messages?after=c1>; rel="prev", </v1/messages?a=,;&after=c2>; REL="next"', 'c2'],
  ]
  for (const [field, cursor] of links) {
    it(`is found in ${JSON.stringify(field)}`, () => {
      assert.equal(nextCursor(field), cursor)
    })
  }
})
