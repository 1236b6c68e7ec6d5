import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { aMessage } from '../support/a-message.ts'
import { faultsOf, jsonRequest, openBench } from './support/bench.ts'

const accepted = () => ({ status: 200, body: { id: 'p1' } })
const takesIds = [{ status: ['2xx'], meaning: 'ACCEPTED', id: '/id' }]

/** Text that would end whatever it stands in. */
const hostile = 'a"}\\\r\nX: 1&b=c<d>\'%00{{to}} é😀'

describe('A request of a carrier over HTTP', () => {
  it('has the message’s fields as JSON, escaped, numbers as numbers, and leaves out what is not there', async () => {
    await using target = await openBench(accepted)
    await using bench = await openBench(accepted, {
      request: {
        url: `${target.provider.url}/`,
        json: {
          t: '{{body}}',
          parts: '{{numberOfParts}}',
          until: '{{validUntil}}',
          list: ['to {{to}}'],
        },
      },
    })

    await bench.submit({ body: hostile })

    assert.deepEqual(JSON.parse(target.provider.seen[0]?.body ?? ''), {
      t: hostile,
      parts: 1,
      list: ['to +4915112345678'],
    })
  })

  it('has them as a form, in the path and in the query, each encoded for where it stands', async () => {
    await using target = await openBench(accepted)
    await using bench = await openBench(accepted, {
      request: {
        url: `${target.provider.url}/{{from}}/x?to={{toDigits}}&text={{body}}`,
        form: { text: '{{body}}', ttl: '{{validitySeconds}}' },
      },
    })

    await bench.submit({ from: 'A/?#B', body: hostile, validUntil: bench.clock.now() + 90_000 })

    const [seen] = target.provider.seen
    const url = new URL(seen?.path ?? '', 'http://x')
    assert.equal(url.pathname, '/A%2F%3F%23B/x')
    assert.deepEqual(
      [...url.searchParams],
      [
        ['to', '4915112345678'],
        ['text', hostile],
      ],
    )
    assert.deepEqual(
      [...new URLSearchParams(seen?.body)],
      [
        ['text', hostile],
        ['ttl', '90'],
      ],
    )
    assert.equal(seen?.headers['content-type'], 'application/x-www-form-urlencoded')
  })

  it('has them as text, escaped as XML, and in a header in printable ASCII', async () => {
    await using target = await openBench(accepted)
    await using bench = await openBench(accepted, {
      request: {
        url: `${target.provider.url}/`,
        headers: { 'X-Text': '{{body}}' },
        text: { contentType: 'text/xml', template: '<m>{{body}}</m>', escape: 'XML' },
      },
    })

    await bench.submit({ body: '<b>&"é\r\nX: 1' })

    const [seen] = target.provider.seen
    assert.equal(seen?.body, '<m>&#60;b&#62;&#38;&#34;é\r\nX: 1</m>')
    assert.equal(seen?.headers['x-text'], '<b>&"%C3%A9%0D%0AX: 1')
    assert.equal(seen?.headers['x'], undefined)
  })

  it('carries credentials and the words of the provider', async () => {
    await using target = await openBench(accepted)
    await using bench = await openBench(accepted, {
      request: { url: `${target.provider.url}/`, json: { type: '{{word.kind}}' } },
      basic: { username: 'user', password: '{{secret.password}}' },
      secrets: { password: 'open sesame' },
      words: { kind: { of: 'encoding', is: { TEXT: 'text', UNICODE: 'unicode' } } },
    })

    await bench.submit({ encoding: 'UNICODE' })

    const [seen] = target.provider.seen
    const credentials = Buffer.from('user:open sesame').toString('base64')
    assert.equal(seen?.headers.authorization, `Basic ${credentials}`)
    assert.equal(seen?.body, '{"type":"unicode"}')
  })

  it('goes once for the whole of a long message, or once for each part, with its header', async () => {
    const body = 'x'.repeat(200)
    await using target = await openBench(accepted)
    const request = {
      url: `${target.provider.url}/`,
      json: { text: '{{body}}', header: '{{header}}', part: '{{part}}', of: '{{parts}}' },
    }
    await using whole = await openBench(accepted, { request, answers: takesIds })
    await using parts = await openBench(accepted, {
      request,
      answers: takesIds,
      longMessages: 'PARTS',
    })

    await whole.submit({ body, numberOfParts: 2 })
    await parts.submit({ body, numberOfParts: 2 })

    const [one, first, second] = target.provider.seen.map((each) => JSON.parse(each.body))
    assert.deepEqual(one, { text: body, part: 1, of: 1 })
    assert.deepEqual([first.text.length, second.text.length], [153, 47])
    assert.match(first.header, /^050003[0-9a-f]{2}0201$/)
    assert.match(second.header, /^050003[0-9a-f]{2}0202$/)
  })

  it('is not made for an encoding that is not carried', async () => {
    await using bench = await openBench(accepted)

    const outcome = await bench.submit(aMessage({ encoding: 'BINARY', body: '00' }))

    assert.deepEqual(outcome, { kind: 'REJECTED', detail: 'REJECTED' })
    assert.equal(bench.provider.seen.length, 0)
  })
})

describe('The settings of a carrier over HTTP', () => {
  const request = { url: 'https://example.com/', ...jsonRequest }
  const pointers = (settings: Parameters<typeof faultsOf>[0]) =>
    faultsOf(settings).map((error) => ('pointer' in error ? error.pointer : error.parameter))

  it('are sound where they name what there is', () => {
    assert.deepEqual(faultsOf({ request }), [])
  })

  it('name what a placeholder can be', () => {
    const words = { urgency: { of: 'urgency', is: {} } }
    const faults = faultsOf({ request: { ...request, json: { to: '{{recipient}}' } }, words })

    const [word, placeholder] = faults.map(({ detail }) => detail)
    assert.match(word ?? '', /^must be one of id, to, toDigits, /)
    assert.match(
      placeholder ?? '',
      /no such value: use one of id, to, .*, callback\.…, parameter\.…/,
    )
  })

  it('have no entry of answers that matches an outage, and no response whose body is not sent', () => {
    assert.deepEqual(
      pointers({
        request,
        answers: [{ meaning: 'REJECTED' }],
        callbackAnswer: { status: 204, body: 'OK' },
      }),
      ['/answers/0', '/callbackAnswer/status'],
    )
  })

  it('lead to public addresses, and to those that the operator allows', () => {
    assert.deepEqual(pointers({ request: { ...request, url: 'https://10.0.0.1/' } }), [
      '/request/url',
    ])
    assert.deepEqual(pointers({ request: { ...request, url: 'https://{{to}}.example.com/' } }), [
      '/request/url',
    ])
    assert.deepEqual(
      pointers({
        request: { ...request, url: 'https://{{parameter.host}}/' },
        parameters: { host: '169.254.169.254' },
      }),
      ['/request/url'],
    )
  })

  it('name only values that there are', () => {
    const found = pointers({
      request: {
        ...request,
        json: { a: '{{nothing}}', b: '{{secret.none}}', c: '{{callback.none}}' },
      },
      words: { kind: { of: 'secret.x', is: {} } },
    })

    assert.deepEqual(found, ['/words/kind/of', '/request/json', '/request/json', '/request/json'])
  })

  it('choose another request by names of values, without braces', () => {
    const choosing = (name: string) =>
      pointers({ request, variants: [{ when: { [name]: ['2'] }, request }] })

    assert.deepEqual(choosing('messageClass'), [])
    for (const name of ['{{messageClass}}', 'part id', 'classs']) {
      assert.deepEqual(choosing(name), [`/variants/0/when/${name}`])
    }
  })

  it('take secrets from where they are not shown', () => {
    const found = pointers({
      request: { ...request, headers: { Authorization: 'App abc', Host: 'x' } },
      basic: { username: 'u', password: 'plain' },
    })

    assert.deepEqual(found, [
      '/request/headers/Authorization',
      '/request/headers/Host',
      '/basic/password',
    ])
  })

  it('let nobody call back who does not show who they are', () => {
    const callbacks = [{ name: 'receipts', receipt: { id: '/a', status: '/b', statuses: {} } }]

    assert.deepEqual(pointers({ request, callbacks }), ['/callbackAuthentication'])
    assert.deepEqual(
      pointers({
        request,
        callbacks,
        callbackAuthentication: { query: { name: 'token', value: 'in the clear' } },
      }),
      ['/callbackAuthentication/query/value'],
    )
    assert.deepEqual(
      pointers({
        request,
        secrets: { key: 'hush-hush' },
        callbackAuthentication: {
          signature: { header: 'x-sig', key: '{{secret.key}}', content: '{{url}}' },
        },
      }),
      ['/callbackAuthentication/signature/content', '/publicUrl'],
    )
  })
})
