import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { faultsOf, openBench } from './support/bench.ts'

const accepted = () => ({ status: 200, body: { id: 'p1' } })

describe('A placeholder', () => {
  it('has functions that convert its value', async () => {
    await using bench = await openBench(accepted, (url) => ({
      request: {
        url,
        json: {
          base64: '{{body|base64}}',
          hex: '{{ body | hex }}',
          hex16: '{{body|hex16}}',
          both: '{{from|lower|base64}}',
          upper: '{{from|upper}}',
          day: 'on {{time|date:yyyy-MM-dd HH:mm:ss}}',
          unix: '{{time|date:unix}}',
          until: '{{validUntil|date:yyMMdd}}',
        },
      },
    }))

    await bench.submit({ from: 'Shop', body: 'é😀' })

    const now = bench.clock.now()
    assert.deepEqual(JSON.parse(bench.provider.seen[0]?.body ?? ''), {
      base64: 'w6nwn5iA',
      hex: 'c3a9f09f9880',
      hex16: '00e9d83dde00',
      both: 'c2hvcA==',
      upper: 'SHOP',
      day: `on ${new Date(now).toISOString().slice(0, 19).replace('T', ' ')}`,
      unix: String(Math.floor(now / 1000)),
    })
  })

  it('with an unknown function, or a date of something else, is a fault', () => {
    const json = {
      a: '{{body|rot13}}',
      b: '{{body|date:yyyy}}',
      c: '{{time|date}}',
      d: '{{to|hex:2}}',
    }

    const faults = faultsOf({ request: { url: 'http://127.0.0.1/', json } })

    assert.deepEqual(
      faults.map(({ detail }) => detail),
      [
        'must use functions of base64, hex, hex16, lower, upper, date, not rot13',
        'must apply date to time or validUntil',
        'must give date a form such as date:yyyy-MM-dd, or date:unix',
        'must give hex no argument',
      ],
    )
  })

  it('of a word can depend on the message, and is left out where it has no value', async () => {
    await using bench = await openBench(accepted, (url) => ({
      request: { url, form: { text: '{{word.text}}', hex: '{{word.hex}}' } },
      words: {
        text: { of: 'encoding', is: { TEXT: '{{body}}' } },
        hex: { of: 'encoding', is: { UNICODE: '{{body|hex16}}' } },
      },
    }))

    await bench.submit({ body: 'a&b' })
    await bench.submit({ id: 'b', body: 'ж', encoding: 'UNICODE' })

    assert.deepEqual(
      bench.provider.seen.map(({ body }) => body),
      ['text=a%26b', 'hex=0436'],
    )
  })
})

describe('A request', () => {
  it('has a query, whose values are encoded and left out like those of a form', async () => {
    await using bench = await openBench(accepted, (url) => ({
      request: {
        method: 'GET',
        url: `${url}?v=2`,
        query: {
          to: '{{to}}',
          text: '{{body}}',
          until: '{{validUntil}}',
          'dlr url': 'x?id={{partId}}&d=%d',
        },
      },
    }))

    const outcome = await bench.submit({ body: 'a&b=c' })

    const { searchParams } = new URL(bench.provider.seen[0]?.path ?? '', 'http://x')
    const [id] = outcome.kind === 'SUBMITTED' ? outcome.carrierMessageIds : []
    assert.match(id ?? '', /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    assert.deepEqual(Object.fromEntries(searchParams), {
      v: '2',
      to: '+4915112345678',
      text: 'a&b=c',
      'dlr url': `x?id=${id}&d=%d`,
    })
  })

  it('can be multipart', async () => {
    await using bench = await openBench(accepted, (url) => ({
      request: { url, multipart: { 'te"xt': '{{body}}', until: '{{validUntil}}' } },
    }))

    await bench.submit({ body: '--x\r\né' })

    const [seen] = bench.provider.seen
    const form = await new Response(seen?.body, {
      headers: { 'content-type': seen?.headers['content-type'] ?? '' },
    }).formData()
    assert.deepEqual([...form], [['te"xt', '--x\r\né']])
  })

  it('has a variant for some messages', async () => {
    await using bench = await openBench(accepted, (url) => ({
      parameters: { sender: 'Template' },
      request: { url, json: { type: 'text', text: '{{body}}' } },
      variants: [
        {
          when: { from: ['{{parameter.sender}}'] },
          request: { url: `${url}/template`, json: { type: 'template', value: '{{body}}' } },
        },
      ],
    }))

    await bench.submit({ from: '+4930123456', body: 'a' })
    await bench.submit({ id: 'b', from: 'Template', body: 'b' })

    assert.deepEqual(
      bench.provider.seen.map(({ path, body }) => [path, JSON.parse(body).type]),
      [
        ['/send', 'text'],
        ['/send/template', 'template'],
      ],
    )
  })
})

describe('An identifier in a text', () => {
  const declared = (idPattern: string) => ({
    answerFormat: 'TEXT',
    answers: [{ where: { '/words/0': ['Success'] }, meaning: 'ACCEPTED', id: '/text', idPattern }],
  })

  it('is found by a pattern', async () => {
    await using bench = await openBench(
      () => ({ status: 200, body: 'Success "0703-5cfd"' }),
      declared('"([^"]+)"'),
    )

    assert.deepEqual(await bench.submit(), {
      kind: 'SUBMITTED',
      carrierMessageIds: ['0703-5cfd'],
    })
  })

  it('can be one of several in it', async () => {
    const [answer] = declared('ids=(\\S+)').answers
    await using bench = await openBench(() => ({ status: 200, body: 'Success ids=a1,a2,,a3 3' }), {
      answerFormat: 'TEXT',
      answers: [{ ...answer, separator: ',' }],
    })

    assert.deepEqual(await bench.submit(), {
      kind: 'SUBMITTED',
      carrierMessageIds: ['a1', 'a2', 'a3'],
    })
  })

  it('is found in linear time, and a malformed pattern is a fault', async () => {
    await using bench = await openBench(
      () => ({ status: 200, body: `Success ${'a'.repeat(5000)}!` }),
      declared('^Success ((a+)+)$'),
    )

    const outcome = await bench.submit()
    const faults = faultsOf({ request: { url: 'http://127.0.0.1/' }, ...declared('(') })

    assert.equal(outcome.kind, 'SUBMITTED')
    assert.deepEqual(faults, [
      { pointer: '/answers/0/idPattern', detail: 'must be a regular expression of RE2' },
    ])
  })
})
