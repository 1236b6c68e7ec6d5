import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { faultsOf, openBench } from './support/bench.ts'
import type { SeenRequest } from './support/provider.ts'

const declared = (url: string) => ({
  request: {
    url,
    json: { sender: '{{from}}', messages: [{ to: '{{to}}', text: '{{body}}' }] },
  },
  batch: { size: 3, items: '/messages', results: '/results', waitMs: 20 },
  answers: [
    { where: { '/results/*/state': ['taken'] }, meaning: 'ACCEPTED', id: '/results/*/id' },
    { where: { '/results/*/state': ['bad'] }, meaning: 'UNDELIVERABLE', reason: '/results/0/code' },
  ],
})

const itemsOf = ({ body }: SeenRequest): { text: string }[] => JSON.parse(body).messages

/** Answers each message by its text; any request with the text `poison` is refused as a whole. */
function provider(request: SeenRequest) {
  const items = itemsOf(request)
  if (items.some(({ text }) => text === 'poison')) return { status: 400 }
  const results = items.map(({ text }) =>
    text === 'bad' ? { state: 'bad', code: 'E7' } : { state: 'taken', id: `id-${text}` },
  )
  return { status: 200, body: { results } }
}

const open = () => openBench(provider, declared)

describe('Several messages in one request', () => {
  it('need a path of the response that leads to a result', () => {
    const answers = [{ where: { '/state': ['taken'] }, meaning: 'ACCEPTED', id: '/id' }]

    const faults = faultsOf({ ...declared('https://sms.example.com'), answers })

    assert.match(JSON.stringify(faults), /must have a path in batch.results.*\/results\/0\/id/)
  })

  it('go together when there are enough, and each gets its own result', async () => {
    await using bench = await open()

    const outcomes = await Promise.all(
      ['one', 'bad', 'two'].map((body) => bench.submit({ id: body, body })),
    )

    assert.equal(bench.provider.seen.length, 1)
    assert.deepEqual(outcomes, [
      { kind: 'SUBMITTED', carrierMessageIds: ['id-one'] },
      { kind: 'REJECTED', detail: 'UNDELIVERABLE', code: 'E7' },
      { kind: 'SUBMITTED', carrierMessageIds: ['id-two'] },
    ])
    assert.equal(
      bench.carrier.condition().lastError?.detail,
      'the provider answered 200: {"results":[{"state":"bad","code":"E7"}]}',
    )
  })

  it('wait for a limited time', async () => {
    await using bench = await open()

    const waiting = bench.submit({ body: 'one' })
    const before = bench.provider.seen.length
    await bench.clock.advance(20)
    const outcome = await waiting

    assert.deepEqual([before, bench.provider.seen.length], [0, 1])
    assert.equal(outcome.kind, 'SUBMITTED')
  })

  it('have the same of everything that is not an item', async () => {
    await using bench = await open()

    const all = ['A', 'B', 'A'].map((from) => bench.submit({ id: from, from, body: from }))
    await bench.clock.advance(20)
    await Promise.all(all)

    assert.deepEqual(bench.provider.seen.map((each) => itemsOf(each).length).toSorted(), [1, 2])
  })

  it('that are refused as a whole go one by one: only one may be at fault', async () => {
    await using bench = await open()

    const outcomes = await Promise.all(
      ['one', 'poison', 'two'].map((body) => bench.submit({ id: body, body })),
    )

    assert.deepEqual(
      outcomes.map(({ kind }) => kind),
      ['SUBMITTED', 'REJECTED', 'SUBMITTED'],
    )
    assert.equal(bench.provider.seen.length, 4)
  })

  it('with more or fewer results are accepted with identifiers of the service: nothing goes twice', async () => {
    await using bench = await openBench(
      () => ({
        status: 200,
        body: { results: ['a', 'b', 'c', 'd'].map((id) => ({ state: 'taken', id })) },
      }),
      declared,
    )

    const outcomes = await Promise.all(
      ['one', 'two', 'six'].map((body) => bench.submit({ id: body, body })),
    )

    const ids = outcomes.flatMap((each) =>
      each.kind === 'SUBMITTED' ? each.carrierMessageIds : [],
    )
    assert.equal(new Set(ids).size, 3)
    assert.ok(ids.every((id) => id.length === 36))
    assert.equal(bench.provider.seen.length, 1)
  })

  it('do not have one that was deleted while it waited', async () => {
    await using bench = await open()

    const outcomes = await Promise.all(
      ['one', 'gone', 'two'].map((body) =>
        bench.submit({ id: body, body, isRecalled: () => body === 'gone' }),
      ),
    )

    assert.deepEqual(
      outcomes.map(({ kind }) => kind),
      ['SUBMITTED', 'BUSY', 'SUBMITTED'],
    )
    assert.deepEqual(
      bench.provider.seen.flatMap(itemsOf).map(({ text }) => text),
      ['one', 'two'],
    )
  })

  it('need an array of one item', () => {
    const settings = { ...declared('http://127.0.0.1/'), longMessages: 'PARTS' }
    const faults = faultsOf({ ...settings, batch: { ...settings.batch, items: '/sender' } })

    assert.deepEqual(
      faults.map((each) => ('pointer' in each ? each.pointer : '')),
      ['/batch', '/batch/items'],
    )
  })
})
