import { asServed } from '../../src/openapi/open-api.ts'
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isJsonObject, type JsonObject, type JsonValue } from '../../src/core/json.ts'
import type { Compiled } from '../../src/engine/compiled.ts'
import { readInput } from '../../src/engine/input.ts'
import { mergePatch } from '../../src/engine/operations/patch.ts'
import { documented, madeDocument } from './documented.ts'
import { schemaValidator } from './schema-validator.ts'

const document = madeDocument()
const validatorOf = schemaValidator(document)
const { schemas } = document.components

/** Values of every kind, at the limits that the collections under test have. */
const probes: readonly JsonValue[] = [
  null,
  true,
  '',
  'x',
  'en',
  'GOLD',
  'AB-1234',
  'AB-123',
  'ada@example.com',
  'x'.repeat(64),
  'x'.repeat(101),
  '2026-01-31T12:00:00Z',
  '2026-01-31',
  0,
  1,
  -1,
  0.5,
  1.5,
  1000,
  [],
  ['a'],
  ['a', 'a'],
  ['A'],
  [1, 2],
  [1, 1],
  [1, null],
  ['a', 'b', 'c', 'd', 'e', 'f'],
  {},
  { a: 'b' },
  { a: null },
  { a: { points: 1, by: null } },
  { a: { points: null, by: 'x' } },
  { street: 'x' },
  { street: 'x', verified: true },
  { street: 'x', place: { country: 'GB' } },
  { street: 'x', place: { country: 'gb' } },
  { street: 'x', more: 1 },
  { place: { city: 'x' } },
]

/** Collections whose fields have no format: what a telephone number is, no schema says. */
const compared = ['customers', 'customers/orders', 'accounts']

describe('the schema of a body', () => {
  for (const name of compared) {
    it(`takes what the service takes, and refuses what it refuses: ${name}`, () => {
      const { compiled, single, example } = subject(name, 'Input')
      const validate = validatorOf(`components/schemas/${single}Input`)

      const differing = bodies(compiled, example).filter(
        (body) => validate(body) !== isTaken(compiled, body),
      )

      assert.deepEqual(differing, [])
    })
  }

  it('of a merge patch takes what the service takes, and refuses what it refuses', () => {
    const { compiled, single, example } = subject('customers', '')
    const validate = validatorOf(`components/schemas/${single}Patch`)
    const patchable = bodies(compiled, {}).filter((body) => isPatched(body))

    const differing = patchable.filter(
      (body) => validate(body) !== isTaken(compiled, mergePatch(example, body)),
    )

    assert.deepEqual(differing, [])
  })

  it('never names what is hidden', () => {
    const text = JSON.stringify(document)

    for (const hidden of ['digest', 'usedAt', 'headerValues', 'secrets'])
      assert.equal(text.includes(`"${hidden}"`), false, hidden)
    assert.equal(schemas['Customer']?.properties?.['password'], undefined)
    assert.equal(schemas['CustomerInput']?.properties?.['password']?.writeOnly, true)
  })
})

describe('the schema of an instance', () => {
  it('has its fields in the order of the wire, and all of them', () => {
    for (const each of documented.all) {
      const compiled = asServed(each, documented)
      const { single } = subject(nameOf(compiled), '')
      const schema = schemas[single]

      assert.deepEqual(Object.keys(schema?.properties ?? {}), compiled.served)
      assert.deepEqual(schema?.required, compiled.served)
    }
  })

  it('says which fields the service sets', () => {
    const { properties = {} } = schemas['Webhook'] ?? {}

    const set = Object.keys(properties).filter((name) => properties[name]?.readOnly === true)

    const live = ['lag', 'lastSuccessAt', 'nextAttemptAt']
    assert.deepEqual(set, ['id', 'state', 'stateReason', ...live, 'createdAt', 'updatedAt'])
  })

  it('says where null can stand, in fields that a client may leave out too', () => {
    const { properties = {} } = schemas['Customer'] ?? {}

    assert.deepEqual(properties['since']?.type, ['string', 'null'])
    assert.deepEqual(properties['level']?.enum, ['GOLD', 'SILVER', null])
    assert.deepEqual(properties['note']?.type, ['string', 'null'])
    assert.deepEqual(schemas['CustomerInput']?.properties?.['note']?.type, 'string')
    assert.deepEqual(properties['name']?.type, 'string')
  })
})

function nameOf({ declared }: Compiled): string {
  return declared.parent === null ? declared.name : `${declared.parent}/${declared.name}`
}

function subject(name: string, part: string): Subject {
  const compiled = documented.find(name)
  assert.ok(compiled)
  const parent = documented.find(compiled.declared.parent ?? '')
  const single = capital(parent?.declared.noun ?? '') + capital(compiled.declared.noun)
  const [example] = schemas[single + part]?.examples ?? []
  return { compiled, single, example: isJsonObject(example) ? example : {} }
}

interface Subject {
  readonly compiled: Compiled
  readonly single: string
  readonly example: JsonObject
}

function capital(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1)
}

/** Bodies that differ from one that is right in one field each. */
function bodies(compiled: Compiled, right: JsonObject): readonly JsonObject[] {
  const names = [...Object.keys(compiled.known), 'unknown']
  const without = names.map((name) => {
    const { [name]: _, ...rest } = right
    return rest
  })
  return [
    ...without,
    ...names.flatMap((name) => probes.map((probe) => Object.assign({}, right, { [name]: probe }))),
  ]
}

/**
 * A patch of what is nested depends on what is there, one of a write-only field is not merged, and
 * one that clears what is no field changes nothing. They are left out here.
 */
function isPatched(body: JsonObject): boolean {
  return Object.entries(body).every(
    ([name, value]) =>
      name !== 'password' &&
      !(name === 'unknown' && value === null) &&
      !(name === 'scores' && isJsonObject(value)) &&
      !(isJsonObject(value) && value['a'] === null),
  )
}

function isTaken(compiled: Compiled, body: JsonValue): boolean {
  assert.ok(isJsonObject(body))
  return readInput(compiled, body).errors.length === 0
}
