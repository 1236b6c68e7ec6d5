import assert from 'node:assert/strict'
import { cpSync, readFileSync } from 'node:fs'
import { describe, it, type TestContext } from 'node:test'
import { startOnSocket } from '../../support/app.ts'

type Given = Readonly<Record<string, unknown>>
type Called = (resource: string, params: Given) => Promise<ReturnType<typeof JSON.parse>>
type Named = 'getList' | 'getOne' | 'getMany' | 'create' | 'update' | 'delete' | 'deleteMany'

const file = new URL('../../../examples/admin/data-provider.js', import.meta.url)
const { dataProvider } = await importBesidePeer()

const page = { page: 1, perPage: 10 }
const byName = { field: 'name', order: 'ASC' }

async function provider(t: TestContext) {
  const { baseUrl, key } = await startOnSocket(t)
  const data = dataProvider(`${baseUrl}/v1`, key)
  for (const [index, name] of ['Ann', 'Ben', 'Cleo', 'Dora', 'Emil'].entries()) {
    const tags = [index % 2 === 0 ? 'even' : 'odd']
    await data.create('contacts', { data: { name, address: `1234${index}`, tags } })
  }
  return data
}

const names = (list: readonly { readonly name: string }[]) => list.map(({ name }) => name)

describe('the data provider of react-admin in examples/admin', () => {
  it('lists a page, sorted, filtered and searched, with the total', async (t) => {
    const data = await provider(t)

    const second = await data.getList('contacts', {
      pagination: { page: 2, perPage: 2 },
      sort: { field: 'name', order: 'DESC' },
      filter: {},
    })
    const odd = await data.getList('contacts', {
      pagination: page,
      sort: byName,
      filter: { tags: 'odd', createdAt_gte: '2026-01-01T00:00:00Z' },
    })
    const found = await data.getList('contacts', {
      pagination: page,
      sort: byName,
      filter: { q: 'E' },
    })

    assert.deepEqual([names(second.data), second.total], [['Cleo', 'Ben'], 5])
    assert.deepEqual([names(odd.data), odd.total], [['Ben', 'Dora'], 2])
    assert.deepEqual(names(found.data), ['Ben', 'Cleo', 'Emil'])
  })

  it('reads, changes and removes what it has listed', async (t) => {
    const data = await provider(t)
    const { data: all } = await data.getList('contacts', {
      pagination: page,
      sort: byName,
      filter: {},
    })
    const [ann, ben, ...others] = all

    const changed = await data.update('contacts', {
      id: ann.id,
      data: { ...ann, name: 'Anna' },
      previousData: ann,
    })
    const removed = await data.delete('contacts', { id: ben.id, previousData: ben })
    const ids = others.map(({ id }: { id: string }) => id)
    const many = await data.getMany('contacts', { ids })
    const none = await data.deleteMany('contacts', { ids })

    assert.equal((await data.getOne('contacts', { id: ann.id })).data.name, 'Anna')
    assert.deepEqual([changed.data.name, removed.data.id], ['Anna', ben.id])
    assert.deepEqual([many.data.length, none.data], [3, ids])
    await assert.rejects(data.getOne('contacts', { id: ben.id }), { status: 404 })
  })

  it('reaches what is nested', async (t) => {
    const data = await provider(t)
    const { data: group } = await data.create('groups', { data: { name: 'Staff' } })
    const members = `groups/${group.id}/contacts`

    const made = await data.create(members, { data: { name: 'Flo', address: '12349' } })
    const list = await data.getList(members, { pagination: page, sort: byName, filter: {} })

    assert.deepEqual([made.data.name, names(list.data), list.total], ['Flo', ['Flo'], 1])
  })

  it('shows beside each field what is wrong with it', async (t) => {
    const data = await provider(t)

    const made = data.create('contacts', { data: { name: 1, colour: 'red', address: '12345' } })

    await assert.rejects(made, (error: { status: number; body: { errors: object } }) => {
      assert.equal(error.status, 400)
      assert.deepEqual(Object.keys(error.body.errors).toSorted(), ['colour', 'name'])
      return true
    })
  })

  it('has sixty lines at most', () => {
    const text = readFileSync(file, 'utf8')

    assert.ok(text.trimEnd().split('\n').length <= 60)
  })
})

/** The file imports packages that are installed here, not where it is. */
async function importBesidePeer(): Promise<{
  dataProvider: (url: string, key: string) => Record<Named, Called>
}> {
  const copy = new URL('node_modules/.data-provider.mjs', import.meta.url)
  cpSync(file, copy)
  return import(copy.href)
}
