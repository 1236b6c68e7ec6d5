import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import formats from 'ajv-formats'
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { limits, traits } from '../../src/engine/declaration/field-words.ts'
import { collectionWords } from '../../src/engine/declaration/read-collection.ts'
import { withSettings } from '../docs/support/config-schema.ts'
import { aDeclaration } from './support/random-declarations.ts'

const schema = JSON.parse(readFileSync('docs/nuncio.config.schema.json', 'utf8'))

/** The check that an editor would make. */
function validator() {
  const ajv = new Ajv2020({ allowUnionTypes: true })
  formats.default(ajv)
  return ajv.compile(schema)
}

describe('the schema of a configuration file', () => {
  it('takes what is declared rightly', () => {
    const validate = validator()

    fc.assert(
      fc.property(aDeclaration, (declared) => {
        assert.ok(validate({ collections: [declared] }), JSON.stringify(validate.errors))
      }),
      { numRuns: 50 },
    )
  })

  it('takes no word of another kind, and none that is misspelt', () => {
    const validate = validator()
    const withField = (field: object) => ({
      collections: [{ name: 'a', noun: 'b', description: 'c', fields: { d: field } }],
    })

    assert.ok(validate(withField({ kind: 'text', maxLength: 3 })))
    assert.ok(!validate(withField({ kind: 'integer', maxLength: 3 })))
    assert.ok(!validate(withField({ kind: 'text', requird: true })))
    assert.ok(!validate(withField({ kind: 'array' })))
    assert.ok(!validate({ prot: 1 }))
  })

  it('has every setting, every word of a collection and every word of a field', () => {
    const { collection, field } = schema.$defs
    const inner = ['enum', 'collection', 'onDelete', 'properties', 'items', 'values']
    const words = Object.values(limits).flatMap((table) => Object.keys(table))
    const described = field.oneOf.flatMap((one: { properties: object }) =>
      Object.keys(one.properties),
    )

    const keys = Object.keys(schema.properties)
    assert.deepEqual(keys.slice(-4), ['collections', 'versions', 'carriers', 'oidc'])
    assert.deepEqual(
      schema,
      withSettings(schema),
      'run: npm run docs:generate && npx prettier --write docs/*.json',
    )
    assert.deepEqual(new Set(Object.keys(collection.properties)), new Set(collectionWords))
    assert.deepEqual(Object.keys(field.properties), ['kind', ...Object.keys(traits)])
    assert.deepEqual(new Set(described), new Set(['kind', ...words, ...inner]))
  })
})
