import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { parse, Refusal } from '../src/index.ts'
import { alert, received, sent } from './support/signed.ts'

const bytes = (text: string) => new TextEncoder().encode(text)
const parsed = (value: unknown) => parse(bytes(JSON.stringify(value)))

function refusalOf(body: Uint8Array): Refusal {
  try {
    parse(body)
  } catch (error) {
    assert.ok(error instanceof Refusal)
    assert.equal(error.status, 400)
    assert.equal(error.title, 'Parsing error')
    return error
  }
  return assert.fail('the body was accepted')
}

const errorsOf = (value: unknown) => refusalOf(bytes(JSON.stringify(value))).errors

describe('parse', () => {
  it('gives the records in the order of the array, with all their fields', () => {
    const records = [sent({ id: 'b' }), received({ id: 'a' }), sent({ id: 'c' })]

    assert.deepEqual(parsed(records), records)
  })

  it('accepts an empty array', () => {
    assert.deepEqual(parsed([]), [])
  })

  it('leaves out records of other types, even incomplete ones', () => {
    const other = { id: 'x', type: 'CLICKED' }
    const inherited = { id: 'y', type: 'constructor' }

    assert.deepEqual(parsed([other, sent(), inherited]), [sent()])
  })

  it('gives alerts as well, and requires their fields', () => {
    const { webhook: _, ...bare } = alert()

    assert.deepEqual(parsed([alert(), sent()]), [alert(), sent()])
    assert.deepEqual(errorsOf([{ ...alert(), state: null }, bare]), [
      { pointer: '/0/state', detail: 'must be a string' },
      { pointer: '/1/webhook/id', detail: 'must be a string' },
    ])
  })

  it('accepts null and absence in every field that no receiver reads', () => {
    const bare = { id: 'a', type: 'RECEIVED', from: '+49151', body: '' }
    const nulls = { ...bare, to: null, encoding: null, submission: null, status: null }

    assert.deepEqual(parsed([bare, nulls]), [bare, nulls])
  })

  for (const [what, text] of Object.entries({
    'an empty body': '',
    'cut JSON': '[{"id":',
    'two values': '[] []',
    'JavaScript that is not JSON': "[{'id': 1}]",
    'a form': 'id=1&type=SENT',
  })) {
    it(`refuses ${what} as a parsing error`, () => {
      assert.match(refusalOf(bytes(text)).message, /must be JSON/)
    })
  }

  it('refuses bytes that are not UTF-8, and is none the worse afterwards', () => {
    const latin1 = new Uint8Array([...bytes('["gr'), 0xfc, ...bytes('n"]')])

    assert.match(refusalOf(latin1).message, /must be UTF-8/)
    assert.deepEqual(parsed([]), [])
  })

  for (const value of [{}, null, 'text', 1, true, sent()]) {
    it(`refuses ${JSON.stringify(value).slice(0, 20)} in place of an array`, () => {
      assert.match(refusalOf(bytes(JSON.stringify(value))).message, /must be a JSON array/)
    })
  }

  it('names every field that is wrong', () => {
    const errors = errorsOf([
      sent(),
      null,
      [],
      {},
      { id: 1, type: 'OTHER' },
      { id: 'a', type: 'RECEIVED', from: null },
      { id: 'b', type: 'SENT', to: 49, body: 'hello' },
    ])

    assert.deepEqual(errors, [
      { pointer: '/1', detail: 'must be an object' },
      { pointer: '/2', detail: 'must be an object' },
      { pointer: '/3/id', detail: 'must be a string' },
      { pointer: '/3/type', detail: 'must be a string' },
      { pointer: '/4/id', detail: 'must be a string' },
      { pointer: '/5/from', detail: 'must be a string' },
      { pointer: '/5/body', detail: 'must be a string' },
      { pointer: '/6/to', detail: 'must be a string' },
    ])
  })

  it('lists ten faults at most and says how many there are', () => {
    const refusal = refusalOf(bytes(JSON.stringify(Array.from({ length: 600 }, () => ({})))))

    assert.equal(refusal.errors.length, 10)
    assert.match(refusal.message, /first 10 of 1200/)
  })

  it('refuses deep nesting or takes it, and never fails otherwise', () => {
    const deep = bytes('['.repeat(200_000))

    assert.equal(refusalOf(deep).status, 400)
  })

  it('gives strings for the fields read, or refuses, for any JSON', () => {
    const field = fc.oneof(
      fc.string(),
      fc.constant('RECEIVED'),
      fc.constant('SENT'),
      fc.jsonValue(),
    )
    const names = { id: field, type: field, from: field, to: field, body: field }
    const element = fc.oneof(fc.record(names, { requiredKeys: [] }), fc.jsonValue())

    fc.assert(
      fc.property(fc.array(element, { maxLength: 4 }), (elements) => {
        for (const record of recordsOrNone(elements)) {
          if (record.type !== 'SENT' && record.type !== 'RECEIVED') continue
          const address = record.type === 'SENT' ? record.to : record.from
          assert.deepEqual(
            [record.id, address, record.body].map((value) => typeof value),
            ['string', 'string', 'string'],
          )
        }
      }),
    )
  })
})

function recordsOrNone(elements: unknown) {
  try {
    return parsed(elements)
  } catch (error) {
    assert.ok(error instanceof Refusal)
    return []
  }
}
