import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readInput } from '../../src/engine/input.ts'
import { isJsonObject } from '../../src/core/json.ts'
import { documented, madeDocument } from './documented.ts'
import { schemaValidator } from './schema-validator.ts'

const document = madeDocument()
const validatorOf = schemaValidator(document)
const { schemas } = document.components

describe('the examples of the document', () => {
  it('are there for everything that goes in or out', () => {
    const silent = Object.entries(schemas)
      .filter(([, { examples }]) => examples === undefined)
      .map(([name]) => name)

    assert.deepEqual(
      silent.filter((name) => !/Sort$|Comparisons$/.test(name)),
      ['Problem', 'Ignored', 'QueryValue'],
    )
  })

  for (const [name, { examples = [] }] of Object.entries(schemas)) {
    if (examples.length === 0) continue
    it(`fit their schema: ${name}`, () => {
      const validate = validatorOf(`components/schemas/${name}`)

      for (const example of examples) validate(example)

      assert.deepEqual(validate.errors ?? [], [])
    })
  }

  it('fit the schema of problems, each of them', () => {
    const validate = validatorOf('components/schemas/Problem')

    for (const { content = {} } of Object.values(document.components.responses)) {
      for (const { examples = {} } of Object.values(content)) {
        for (const { value } of Object.values(examples)) {
          assert.equal(validate(value), true, JSON.stringify(validate.errors))
        }
      }
    }
  })

  it('are taken by the service, where they are what a client sends', () => {
    const taken: string[] = []

    for (const compiled of documented.all.filter(({ members }) => members === null)) {
      const name = `${compiled.declared.noun[0]?.toUpperCase()}${compiled.declared.noun.slice(1)}`
      const [example] = schemas[`${name}Input`]?.examples ?? []
      if (!isJsonObject(example)) continue
      assert.deepEqual(readInput(compiled, example).errors, [])
      taken.push(compiled.declared.name)
    }

    assert.deepEqual(taken, [
      'messages',
      'contacts',
      'groups',
      'broadcasts',
      'webhooks',
      'optOuts',
      'numbers',
      'carriers',
      'keys',
      'accounts',
      'prices',
      'maintenanceWindows',
      'sessions',
      'customers',
      'contracts',
    ])
  })

  it('are the same each time', () => {
    assert.deepEqual(madeDocument(), document)
  })
})
