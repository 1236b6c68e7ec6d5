import assert from 'node:assert/strict'
import { it } from 'node:test'
import { object } from '../../src/core/declaration/field.ts'
import { isJsonObject } from '../../src/core/json.ts'
import type { InputError } from '../../src/core/problem.ts'
import { fieldReader } from '../../src/engine/field-reader.ts'
import { openApi } from '../../src/openapi/open-api.ts'
import { exampleSettings } from '../../src/openapi/schemas/carrier-settings.ts'
import { unopenedCarriers } from '../support/unopened-carriers.ts'
import { documented, options } from './documented.ts'
import { schemaValidator } from './schema-validator.ts'

const carrierSettings = Object.fromEntries(
  unopenedCarriers.map(({ type, settings }) => [type, settings]),
)
const document = openApi(documented, { ...options, carrierSettings })
const validatorOf = schemaValidator(JSON.parse(JSON.stringify(document)))
const { CarrierInput: input } = document.components.schemas

it('the input of a carrier describes the settings of each type', () => {
  const settings = input?.properties?.['settings']

  assert.deepEqual(
    Object.keys(settings?.['x-types'] ?? {}),
    unopenedCarriers.map(({ type }) => type),
  )
  assert.deepEqual(settings?.['x-types']?.['SMPP']?.required, ['host', 'systemId'])
  assert.match(settings?.description ?? '', /SMPP requires `host` and `systemId`, for example `[{]/)
})

for (const { type, settings, faults } of unopenedCarriers) {
  it(`the example of ${type} is valid by its schema and by its rules`, () => {
    const example = exampleSettings[type]
    assert.ok(example !== undefined, `add an example of ${type} to exampleSettings`)
    const errors: InputError[] = []
    const read = fieldReader(object(settings))(example, '', errors)
    assert.ok(isJsonObject(read))
    const place = `components/schemas/CarrierInput/properties/settings/x-types/${type}`
    const isValid = validatorOf(place)(example)

    assert.deepEqual([...errors, ...(faults?.(read, true) ?? [])], [])
    assert.ok(isValid)
  })
}
