import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { collection } from '../../src/core/declaration/collection.ts'
import {
  array,
  boolean,
  choice,
  integer,
  map,
  object,
  text,
  timestampField,
} from '../../src/core/declaration/field.ts'
import { Problem } from '../../src/core/problem.ts'
import { compile } from '../../src/engine/compiled.ts'
import { writeCursor } from '../../src/engine/query/sort.ts'
import { readListRequest } from '../../src/engine/query/query-parameters.ts'

const parcels = compile(
  collection({
    name: 'parcels',
    noun: 'parcel',
    description: 'A parcel.',
    searchedBy: ['label'],
    fields: {
      label: text({ nullable: true }),
      label_gt: text({ nullable: true }),
      phone: text({ format: 'recipient', nullable: true }),
      weight: integer({ default: 0 }),
      fragile: boolean({ default: false }),
      sentAt: timestampField({ nullable: true }),
      status: object({ type: choice(['OPEN', 'DONE']) }, { readOnly: true }),
      tags: array(text(), { default: [] }),
      notes: map(text(), { default: {} }),
      secret: text({ writeOnly: true, nullable: true }),
      digest: text({ internal: true }),
      lag: integer({ live: true, readOnly: true }),
    },
  }),
  new Map(),
)

const asked = (query: string) => readListRequest(parcels, [...new URLSearchParams(query)])

function faults(query: string): readonly string[] {
  try {
    asked(query)
  } catch (error) {
    assert.ok(error instanceof Problem)
    return error.errors.map((each) => ('parameter' in each ? each.parameter : each.pointer))
  }
  return []
}

describe('the parameters of a list', () => {
  it('left out, ask for the first 50, oldest first', () => {
    const { query, page, fields } = asked('')

    assert.deepEqual(query, {
      conditions: [],
      searchTerms: [],
      sort: [
        { path: ['createdAt'], direction: 'asc' },
        { path: ['id'], direction: 'asc' },
      ],
      start: { offset: 0 },
      limit: 50,
    })
    assert.deepEqual([page, fields], [1, null])
  })

  it('compare fields: equality gathers values, other comparisons stand alone', () => {
    const { query } = asked('weight=1&weight=2&weight_gte=0&weight_gte=1&status.type=OPEN&tags=a')

    assert.deepEqual(query.conditions, [
      { path: ['weight'], operator: 'eq', values: [1, 2] },
      { path: ['weight'], operator: 'gte', values: [0] },
      { path: ['weight'], operator: 'gte', values: [1] },
      { path: ['status', 'type'], operator: 'eq', values: ['OPEN'] },
      { path: ['tags'], operator: 'eq', values: ['a'] },
    ])
  })

  it('name a field first, and a comparison only where there is no such field', () => {
    const { query } = asked('label_gt=x&label_gt_ne=y&notes.colour_like=r*')

    assert.deepEqual(query.conditions, [
      { path: ['label_gt'], operator: 'eq', values: ['x'] },
      { path: ['label_gt'], operator: 'ne', values: ['y'] },
      { path: ['notes', 'colour'], operator: 'like', values: ['r*'] },
    ])
  })

  it('are normalised like the values that they are compared with', () => {
    const { query } = asked(
      'phone=0049 not a number&phone=%2B49 151-2345678&sentAt_lt=2026-01-01T01:00:00%2B01:00&label=null&fragile=true',
    )

    assert.deepEqual(
      query.conditions.map(({ values }) => values),
      [['0049 not a number', '+491512345678'], ['2026-01-01T00:00:00.000Z'], [null], [true]],
    )
  })

  it('order by several keys, and by id in the end', () => {
    const { query } = asked('sort=weight_desc,label_asc&sort=status.type_asc')

    assert.deepEqual(
      query.sort.map(({ path, direction }) => `${path.join('.')} ${direction}`),
      ['weight desc', 'label asc', 'status.type asc', 'id asc'],
    )
  })

  it('search for words, folded', () => {
    assert.deepEqual(asked('search=  ÉTÉ straße ').query.searchTerms, ['été', 'strasse'])
  })

  it('choose a page, its size and its fields', () => {
    const { query, page, fields } = asked('page=3&pageSize=20&fields=weight,label')

    assert.deepEqual([query.start, query.limit, page], [{ offset: 40 }, 20, 3])
    assert.deepEqual(fields, ['id', 'label', 'weight'])
  })

  it('go on behind a cursor of the same sort', () => {
    const { sort } = asked('sort=weight_desc').query
    const cursor = writeCursor(sort, { id: 'parcel_1', weight: 7 })

    assert.deepEqual(asked(`sort=weight_desc&after=${cursor}`).query.start, {
      after: [7, 'parcel_1'],
    })
    assert.deepEqual(faults(`sort=weight_asc&after=${cursor}`), ['after'])
    assert.deepEqual(faults(`sort=weight_desc&after=${cursor}&page=1`), ['after'])
  })

  it('go on behind no cursor that was never given out', () => {
    const forged = (...values: unknown[]) =>
      Buffer.from(JSON.stringify(['weight_desc,id_asc', ...values])).toString('base64url')
    const huge = Buffer.from('["weight_desc,id_asc",1e999,"a"]').toString('base64url')

    for (const cursor of [
      forged('7', 'a'),
      forged(7, 7),
      forged(7, null),
      forged(true, 'a'),
      huge,
    ]) {
      assert.deepEqual(faults(`sort=weight_desc&after=${cursor}`), ['after'])
    }
    assert.deepEqual(faults(`sort=weight_desc&after=${forged(null, 'a')}`), [])
  })

  it('are so many at the most as a store can read', () => {
    const filters = (count: number) =>
      Array.from({ length: count }, (_, index) => `notes.n${index}=x`).join('&')
    const words = (count: number) =>
      `search=${Array.from({ length: count }, (_, index) => `w${index}`).join('+')}`

    assert.deepEqual([faults(filters(100)), faults(words(100))], [[], []])
    assert.deepEqual(faults(filters(5000)), ['notes.n100'])
    assert.deepEqual(faults(words(5000)), ['search'])
    assert.deepEqual(asked(`search=${'again+'.repeat(5000)}`).query.searchTerms, ['again'])
  })

  it('match patterns of up to 200 characters and 10 wildcards', () => {
    const pattern = (text: string) => `label_like=${encodeURIComponent(text)}`

    assert.deepEqual(faults(pattern('x'.repeat(200))), [])
    assert.deepEqual(faults(pattern('x'.repeat(201))), ['label_like'])
    assert.deepEqual(faults(pattern('😀'.repeat(200))), [])
    assert.deepEqual(faults(pattern('😀'.repeat(201))), ['label_like'])
    assert.deepEqual(faults(pattern('x'.repeat(1_000_000))), ['label_like'])
    assert.deepEqual(faults(pattern('*x'.repeat(10))), [])
    assert.deepEqual(faults(pattern('*x'.repeat(11))), ['label_like'])
    assert.deepEqual(faults(pattern('*'.repeat(11))), ['label_like'])
  })

  const refused: [query: string, parameters: string[]][] = [
    ['page=0', ['page']],
    ['page=-1', ['page']],
    ['page=1.5', ['page']],
    ['page=', ['page']],
    ['page=1&page=2', ['page']],
    ['pageSize=1001', ['pageSize']],
    ['after=nonsense', ['after']],
    ['sort=weight', ['sort']],
    ['sort=weight_up', ['sort']],
    ['sort=', ['sort']],
    ['sort=unknown_asc,lag_asc,tags_asc,secret_asc', ['sort', 'sort', 'sort', 'sort']],
    ['fields=label,nothing,secret,digest', ['fields', 'fields', 'fields']],
    ['unknown=1', ['unknown']],
    ['unknown_gt=1', ['unknown_gt']],
    ['secret=x', ['secret']],
    ['digest=x', ['digest']],
    ['lag=1', ['lag']],
    ['status=OPEN', ['status']],
    ['status.type=LOST', ['status.type']],
    ['status.toString=x', ['status.toString']],
    ['constructor=x', ['constructor']],
    ['__proto__=x', ['__proto__']],
    ['weight=heavy', ['weight']],
    ['weight=0x10', ['weight']],
    ['weight=1e999', ['weight']],
    ['weight_like=1*', ['weight_like']],
    ['fragile=yes', ['fragile']],
    ['fragile_gt=true', ['fragile_gt']],
    ['sentAt=yesterday', ['sentAt']],
    ['tags_gt=a', ['tags_gt']],
    ['label=%00', ['label']],
    ['page=0&weight=x&sort=y', ['weight', 'sort', 'page']],
  ]
  for (const [query, parameters] of refused) {
    it(`are refused, each fault named: ${query}`, () => {
      assert.deepEqual(faults(query), parameters)
    })
  }
})
