import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { describeFields, type FieldDescription } from '../src/api/field.ts'
import type { Schema } from '../src/api/document.ts'
import { faultAt, notSavedText } from '../src/collections/form/field-faults.ts'
import { fieldHint, keptIfEmpty } from '../src/collections/form/field-hint.ts'
import { defaultText } from '../src/collections/form/field-props.ts'

function fieldOf(schema: Schema): FieldDescription {
  const document = { info: { version: '1' }, paths: {}, components: { schemas: {} } }
  const [field] = describeFields(document, { properties: { field: schema } })
  assert.ok(field !== undefined)
  return field
}

const nullable = ['string', 'null'] as const

describe('the hint of a field', () => {
  it('says to leave an input empty, as nobody can type null', () => {
    const hint = (description: string): string =>
      fieldHint(fieldOf({ type: nullable, description }))

    assert.equal(
      hint('The sender that must not send to it; null: all senders. It is a number.'),
      'The sender that must not send to it. Leave empty for all senders. It is a number.',
    )
    assert.equal(
      hint('End of validity; null: the carrier decides, within three days.'),
      'End of validity. Leave empty: the carrier decides, within three days.',
    )
    assert.equal(
      hint('The pair; `null` in a PATCH: a new pair.'),
      'The pair. Leave empty: a new pair.',
    )
    assert.equal(
      hint('Only movements change it, and null removes it.'),
      'Only movements change it, and an empty field removes it.',
    )
    assert.equal(hint('The carrier; if absent, by routes.'), 'The carrier; if empty, by routes.')
    assert.equal(hint('Nullable things.'), 'Nullable things.')
  })

  it('says that a secret of an existing instance stays', () => {
    const description = 'Signing secret; null: generated. It is 24 octets.'
    const secret = fieldOf({ type: nullable, description, writeOnly: true })

    assert.equal(
      fieldHint(keptIfEmpty(secret)),
      'Signing secret. It is 24 octets. Leave empty: it stays unchanged.',
    )
    assert.equal(fieldHint(secret), 'Signing secret. Leave empty: generated. It is 24 octets.')
    const shown = fieldOf({ type: nullable, description })
    assert.equal(keptIfEmpty(shown), shown)
  })

  it('names no default without content', () => {
    const hint = (description: string): string =>
      fieldHint(fieldOf({ type: 'string', description }))

    for (const empty of ['[]', '{}', '""', 'null', '']) {
      assert.equal(hint(`Words. Default: \`${empty}\`.`), 'Words.')
    }
    assert.equal(hint('Words. Default: `"SENT"`.'), 'Words. Default: `"SENT"`.')
    assert.equal(defaultText(fieldOf({ type: 'string', 'x-default': null })), '')
    assert.equal(defaultText(fieldOf({ type: 'array', 'x-default': [] })), '')
    assert.equal(defaultText(fieldOf({ type: 'integer', 'x-default': 0 })), '0')
  })
})

describe('the fault of a field', () => {
  const described = { description: 'Three capital letters.' }

  it('says the form in words instead of a regular expression', () => {
    const faults = new Map([['/code', 'must match ^[A-Z]{3}$']])

    assert.equal(
      faultAt(faults, '/code', described),
      'must be as described: Three capital letters.',
    )
    assert.equal(faultAt(faults, '/code', { description: '' }), 'must match ^[A-Z]{3}$')
  })

  it('counts the lines of a list from one', () => {
    const faults = new Map([['/scopes/1', 'must be a scope']])

    assert.equal(faultAt(faults, '/scopes'), 'line 2: must be a scope')
    assert.equal(faultAt(faults, '/name'), null)
  })

  it('is counted in the heading', () => {
    assert.equal(notSavedText(1), 'Not saved: 1 fault')
    assert.equal(notSavedText(2), 'Not saved: 2 faults')
    assert.equal(notSavedText(0), 'Not saved')
  })
})
