import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { fill, ownText, readTemplate } from '../../src/gateway/broadcasts/template.ts'
import type { Contact } from '../../src/collections/contacts.ts'

const ada = {
  id: 'ada',
  name: 'Ada',
  address: '+4915112345678',
  tags: [],
  attributes: { city: 'London', empty: '', 'a b': '{{name}}', toString: 'own' },
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
} satisfies Contact

describe('a template', () => {
  const cases = [
    ['hello', 'hello'],
    ['Dear {{name}}!', 'Dear Ada!'],
    ['{{ name }}{{address}}', 'Ada+4915112345678'],
    ['{{attributes.city}}', 'London'],
    ['{{attributes.a b}} is put in as it is', '{{name}} is put in as it is'],
    ['{{attributes.toString}}', 'own'],
    ['{{name|friend}}', 'Ada'],
    ['{{attributes.empty|somewhere}}', 'somewhere'],
    ['{{attributes.none| a | b }}', ' a | b '],
    ['a{{attributes.none|}}b', 'ab'],
    ['}} and { { and {', '}} and { { and {'],
    ['\\{{name}}', '{{name}}'],
    ['\\\\{{name}}', '\\Ada'],
    ['\\\\\\{{name}}', '\\{{name}}'],
    ['a \\ b \\n {{name}}', 'a \\ b \\n Ada'],
  ] as const
  for (const [body, text] of cases) {
    it(`makes ${JSON.stringify(text)} of ${JSON.stringify(body)}`, () => {
      const read = readTemplate(body)

      assert.ok(read.ok)
      assert.equal(fill(read.template, { address: ada.address, contact: ada }), text)
    })
  }

  for (const body of ['{{name}}', '{{attributes.none}}', '{{attributes.constructor}}']) {
    it(`has no text for one without a value: ${body}`, () => {
      const read = readTemplate(body)
      const nameless = { ...ada, name: null, attributes: {} }

      assert.ok(read.ok)
      assert.equal(fill(read.template, { address: ada.address, contact: null }), null)
      assert.equal(fill(read.template, { address: ada.address, contact: nameless }), null)
    })
  }

  for (const [body, place] of [
    ['a {{', 3],
    ['{{name', 1],
    ['🚀 {{}}', 3],
    ['{{Name}}', 1],
    ['{{attributes.}}', 1],
    ['{{attributes}}', 1],
    ['{{name {{address}}', 1],
    ['{{name}} {{phone|x}}', 10],
  ] as const) {
    it(`is refused with its place: ${body}`, () => {
      const read = readTemplate(body)

      assert.ok(!read.ok)
      assert.match(read.detail, new RegExp(`at character ${place} `))
    })
  }

  it('has its own text without any value', () => {
    const read = readTemplate('Dear {{name}}, \\{{ welcome')

    assert.ok(read.ok)
    assert.equal(ownText(read.template), 'Dear , {{ welcome')
  })
})
