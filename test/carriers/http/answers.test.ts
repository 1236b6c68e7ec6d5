import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { openBench } from './support/bench.ts'
import type { ProviderAnswer } from './support/provider.ts'

const declared = {
  answers: [
    {
      status: ['200'],
      where: { '/messages/*/status': ['0'] },
      meaning: 'ACCEPTED',
      id: '/messages/*/id',
    },
    { status: ['200'], where: { '/messages/*/status': ['1'] }, meaning: 'THROTTLED' },
    { where: { '/code': ['bad-number'] }, meaning: 'UNDELIVERABLE' },
    { where: { '/code': ['opted-out'] }, meaning: 'BLOCKED' },
  ],
}

const answering = (answer: ProviderAnswer) => openBench(() => answer, declared)

describe('An answer of a provider', () => {
  it('that accepts gives the identifiers of all that it took', async () => {
    await using bench = await answering({
      status: 200,
      body: {
        messages: [
          { status: '0', id: 'a' },
          { status: 0, id: 7 },
        ],
      },
    })

    assert.deepEqual(await bench.submit(), { kind: 'SUBMITTED', carrierMessageIds: ['a', '7'] })
  })

  it('of 2xx is taken even where its body says nothing: nothing goes twice', async () => {
    for (const body of ['', 'OK', '{', '[]', { messages: [] }, { messages: [{ status: '9' }] }]) {
      await using bench = await answering({ status: 200, body })

      const outcome = await bench.submit()

      assert.equal(outcome.kind, 'SUBMITTED', JSON.stringify(body))
    }
  })

  it('of XML is told from a refusal by the patterns of its identifier and its code', async () => {
    const xml = {
      answerFormat: 'TEXT',
      answers: [
        { status: ['200'], meaning: 'ACCEPTED', id: '/text', idPattern: '<id>(\\d+)</id>' },
        {
          status: ['200'],
          meaning: 'REJECTED',
          reason: '/text',
          reasonPattern: '<error>(\\d+)</error>',
        },
      ],
    }
    const answered = async (body: string) => {
      await using bench = await openBench(() => ({ status: 200, body }), xml)
      return await bench.submit()
    }

    const taken = await answered('<response><id>77</id></response>')
    const refused = await answered('<response><error>12</error></response>')

    assert.deepEqual(taken, { kind: 'SUBMITTED', carrierMessageIds: ['77'] })
    assert.deepEqual(refused, { kind: 'REJECTED', detail: 'REJECTED', code: '12' })
  })

  it('that accepts without its identifier is named in the last error', async () => {
    await using bench = await answering({ status: 200, body: { messages: [{ status: '0' }] } })

    await bench.submit()

    const { state, lastError } = bench.carrier.condition()
    assert.equal(state, 'BOUND')
    assert.match(lastError?.detail ?? '', /200 without an identifier at \/messages\/\*\/id: \{/)
  })

  for (const [status, body, outcome] of [
    [400, { code: 'bad-number' }, { kind: 'REJECTED', detail: 'UNDELIVERABLE' }],
    [400, { code: 'opted-out' }, { kind: 'REJECTED', detail: 'BLOCKED' }],
    [400, { code: 'other' }, { kind: 'REJECTED', detail: 'REJECTED' }],
    [422, '', { kind: 'REJECTED', detail: 'REJECTED' }],
    [503, '', { kind: 'BUSY', retryAfterMs: 5000, reason: 'the provider answered 503' }],
    [401, '', { kind: 'BUSY', retryAfterMs: 5000, reason: 'the provider answered 401' }],
    [307, '', { kind: 'BUSY', retryAfterMs: 5000, reason: 'the provider answered 307' }],
    [500, '', { kind: 'UNCERTAIN', reason: 'the provider answered 500' }],
    [504, '', { kind: 'UNCERTAIN', reason: 'the provider answered 504' }],
  ] as const) {
    it(`${status} ${JSON.stringify(body)} means ${outcome.kind}`, async () => {
      await using bench = await answering({ status, body })

      assert.deepEqual(await bench.submit(), outcome)
    })
  }

  it('is counted by its meaning, from zero on', async () => {
    let answer: ProviderAnswer = { status: 200 }
    await using bench = await openBench(() => answer, declared)
    const before = [...bench.counted]
    await bench.submit({ body: 'x'.repeat(161) })
    answer = 'hangUp'
    await bench.submit({ id: 'message_2' })

    assert.deepEqual(before, [
      ['ACCEPTED', 0],
      ['UNANSWERED', 0],
    ])
    assert.deepEqual(
      [...bench.counted],
      [
        ['ACCEPTED', 1],
        ['UNANSWERED', 1],
      ],
    )
  })

  it('that says when to come again is heeded', async () => {
    await using busy = await answering({ status: 503, headers: { 'retry-after': '30' } })

    const outcome = await busy.submit()

    assert.deepEqual(outcome, {
      kind: 'BUSY',
      retryAfterMs: 30_000,
      reason: 'the provider answered 503',
    })
  })

  it('of 429 stops everything for as long as it says', async () => {
    await using bench = await answering({ status: 429, headers: { 'retry-after': '20' } })
    await bench.submit()

    const next = await bench.submit({ id: 'message_2' })

    assert.deepEqual(next, {
      kind: 'BUSY',
      retryAfterMs: 20_000,
      reason: 'the provider said that this is too fast',
    })
    assert.equal(bench.provider.seen.length, 1)
  })

  it('without a time stops everything for a short while, and sends one at a time from then on', async () => {
    let answer: ProviderAnswer = { status: 429 }
    await using bench = await openBench(() => answer, declared)
    await bench.submit()
    answer = { status: 200 }

    const waiting = bench.submit({ id: 'message_2' })
    const before = bench.provider.seen.length
    await bench.clock.advance(1000)
    const outcome = await waiting

    assert.deepEqual([before, bench.provider.seen.length, outcome.kind], [1, 2, 'SUBMITTED'])
  })

  it('that does not come in time, or breaks off, leaves open whether it was taken', async () => {
    await using silent = await answering('never')
    await using broken = await answering('hangUp')

    const late = silent.submit()
    await silent.until('the request is there', () => silent.provider.seen.length === 1)
    await silent.clock.advance(20_000)

    assert.deepEqual(await late, { kind: 'UNCERTAIN', reason: 'no answer within 20000 ms' })
    assert.equal((await broken.submit()).kind, 'UNCERTAIN')
  })

  it('is not waited for when the service stops', async () => {
    await using bench = await answering('never')
    const stop = new AbortController()

    const outcome = bench.submit({}, stop.signal)
    await bench.until('the request is there', () => bench.provider.seen.length === 1)
    stop.abort()

    assert.equal((await outcome).kind, 'UNCERTAIN')
  })

  it('is shown by its status alone where it says nothing', async () => {
    await using bench = await openBench(() => ({ status: 302, body: ' ' }))

    await bench.submit()

    assert.equal(bench.carrier.condition().lastError?.detail, 'the provider answered 302')
  })

  it('is read to a limit, and shown without secrets', async () => {
    await using bench = await openBench(
      () => ({ status: 400, body: `wrong key: hush-hush ${'x'.repeat(100_000)}` }),
      { secrets: { key: 'hush-hush' }, bearer: '{{secret.key}}' },
    )

    await bench.submit()

    const { lastError } = bench.carrier.condition()
    assert.match(lastError?.detail ?? '', /^the provider answered 400: wrong key: … x+$/)
    assert.ok(!JSON.stringify([lastError, bench.logged]).includes('hush'))
  })
})

describe('A carrier over HTTP', () => {
  it('keeps its window, and says how much of it is in use', async () => {
    const held: ((answer: ProviderAnswer) => void)[] = []
    await using bench = await openBench(() => new Promise((resolve) => held.push(resolve)), {
      window: 2,
    })

    const all = ['a', 'b', 'c'].map((id) => bench.submit({ id }))
    await bench.until('two are there', () => held.length === 2)
    const { inFlight } = bench.carrier.condition()
    held[0]?.({ status: 200 })
    await bench.until('the third is there', () => held.length === 3)
    for (const answer of held) answer({ status: 200 })
    await Promise.all(all)

    assert.deepEqual([inFlight, bench.carrier.condition().inFlight], [2, 0])
  })

  it('does not send what is recalled while it waits for room', async () => {
    const held: ((answer: ProviderAnswer) => void)[] = []
    await using bench = await openBench(() => new Promise((resolve) => held.push(resolve)), {
      window: 1,
    })
    let isDeleted = false

    const first = bench.submit({ id: 'a' })
    await bench.until('the first is there', () => held.length === 1)
    const waiting = bench.submit({ id: 'b', isRecalled: () => isDeleted })
    const last = bench.submit({ id: 'c' })
    isDeleted = true
    held[0]?.({ status: 200 })
    await bench.until('another is there', () => held.length === 2)
    held[1]?.({ status: 200 })
    const kinds = (await Promise.all([first, waiting, last])).map(({ kind }) => kind)

    assert.deepEqual(kinds, ['SUBMITTED', 'BUSY', 'SUBMITTED'])
    assert.equal(held.length, 2)
    assert.equal(bench.carrier.condition().inFlight, 0)
  })

  it('is BOUND when its provider answers anything at all', async () => {
    await using bench = await openBench(() => ({ status: 200 }))

    await bench.until('it is bound', () => bench.carrier.condition().state === 'BOUND')

    assert.equal(bench.provider.probes(), 1)
  })

  it('is DOWN when it cannot be reached, and sends nothing', async () => {
    await using gone = await openBench(() => ({ status: 200 }), {
      request: { url: 'http://127.0.0.1:9/', json: {} },
    })
    await gone.until('it is down', () => gone.carrier.condition().state === 'DOWN')

    const outcome = await gone.submit()

    const { stateReason, lastError } = gone.carrier.condition()
    assert.match(stateReason ?? '', /^the provider was not reached: the connection was refused/)
    assert.ok(lastError)
    assert.equal(outcome.kind, 'BUSY')
  })

  it('is DOWN when its credentials are refused, and tries one message at a time later', async () => {
    let status = 401
    await using bench = await openBench(() => ({ status }))
    await bench.until('it is bound', () => bench.carrier.condition().state === 'BOUND')
    await bench.submit()
    const refused = bench.carrier.condition().state
    const meanwhile = await bench.submit({ id: 'message_2' })
    status = 200
    await bench.clock.advance(1000)

    const later = await bench.submit({ id: 'message_3' })

    assert.deepEqual([refused, meanwhile.kind, later.kind], ['DOWN', 'BUSY', 'SUBMITTED'])
    assert.equal(bench.provider.seen.length, 2)
    assert.equal(bench.carrier.condition().state, 'BOUND')
  })

  it('is DOWN when three requests in a row leave everything open', async () => {
    await using bench = await openBench(() => 'hangUp')
    await bench.until('it is bound', () => bench.carrier.condition().state === 'BOUND')

    for (const id of ['a', 'b', 'c']) await bench.submit({ id })

    assert.equal(bench.carrier.condition().state, 'DOWN')
  })

  it('sends nothing to an address that the operator does not allow, wherever its name leads', async () => {
    await using bench = await openBench(
      () => ({ status: 200 }),
      { request: { url: 'http://provider.example/', json: {} } },
      { networks: '10.0.0.0/8' },
    )

    const outcome = await bench.submit()

    assert.deepEqual(outcome.kind, 'BUSY')
    await bench.until('it is down', () => bench.carrier.condition().state === 'DOWN')
    assert.match(
      bench.carrier.condition().stateReason ?? '',
      /its name leads to an address that carriers may not reach/,
    )
  })

  it('goes on with the next part where one was taken and the next was not', async () => {
    const body = 'x'.repeat(200)
    let answers = 0
    await using bench = await openBench(
      () => ((answers += 1) === 2 ? { status: 503 } : { status: 200, body: { id: `p${answers}` } }),
      { longMessages: 'PARTS', answers: [{ meaning: 'ACCEPTED', status: ['200'], id: '/id' }] },
    )

    const first = await bench.submit({ body, numberOfParts: 2 })
    const again = await bench.submit({ body, numberOfParts: 2 })

    assert.equal(first.kind, 'UNCERTAIN')
    assert.deepEqual(again, { kind: 'SUBMITTED', carrierMessageIds: ['p1', 'p3'] })
    assert.equal(bench.provider.seen.length, 3)
  })

  it('says of what is refused whether a part of it was taken before', async () => {
    const body = 'x'.repeat(200)
    let answers = 0
    await using bench = await openBench(
      () => ((answers += 1) === 2 ? { status: 422 } : { status: 200, body: { id: `p${answers}` } }),
      { longMessages: 'PARTS', answers: [{ meaning: 'ACCEPTED', status: ['200'], id: '/id' }] },
    )

    const outcome = await bench.submit({ body, numberOfParts: 2 })

    assert.deepEqual(outcome, { kind: 'REJECTED', detail: 'REJECTED', isBegun: true })
  })
})
