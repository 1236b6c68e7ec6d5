import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { collection } from '../../src/core/declaration/collection.ts'
import { integer, object, text } from '../../src/core/declaration/field.ts'
import { compile } from '../../src/engine/compiled.ts'
import { leadsBack } from '../../src/engine/query/sort.ts'

const parcels = compile(
  collection({
    name: 'parcels',
    noun: 'parcel',
    description: 'A parcel.',
    searchedBy: ['label'],
    fields: {
      label: text({ required: true }),
      weight: integer({ default: 0 }),
      note: text({ nullable: true }),
      place: integer({ readOnly: true }),
      optional: text(),
      size: object({ width: integer({ default: 0 }) }, { default: {} }),
    },
  }),
  new Map(),
)

function isReversible(...paths: readonly string[]): boolean {
  return leadsBack(
    parcels,
    paths.map((path) => ({ path: path.split('.'), direction: 'asc' })),
  )
}

describe('pages can be read backwards', () => {
  it('if each sort key is a field that always has a value', () => {
    assert.ok(isReversible('id'))
    assert.ok(isReversible('label', 'weight', 'createdAt', 'id'))
  })

  it('unless a sort key may be null, is part of an object, or is unknown', () => {
    for (const path of ['note', 'place', 'optional', 'size.width', 'unknown']) {
      assert.ok(!isReversible(path), path)
      assert.ok(!isReversible('label', path, 'id'), path)
    }
  })
})
