import type { Fields } from '../../core/declaration/field.ts'
import type { JsonObject } from '../../core/json.ts'
import type { Schema } from '../document.ts'
import { inputSchema, isRequired } from './field-schema.ts'

/** The settings of carriers by type. */
export type CarrierSettings = Readonly<Record<string, Fields>>

/** The shortest settings that send messages: each type has an example. */
export const exampleSettings: Readonly<Record<string, JsonObject>> = {
  SIMULATOR: { delayMs: 1000 },
  SMPP: { host: 'smsc.example.com', port: 2775, systemId: 'acme', password: 'hush' },
  HTTP: {
    request: {
      url: 'https://sms.example.com/messages',
      json: { to: '{{to}}', from: '{{from}}', text: '{{body}}' },
    },
    bearer: '{{secret.key}}',
    secrets: { key: 'open-sesame' },
    answers: [{ status: ['2xx'], meaning: 'ACCEPTED', id: '/id' }],
  },
}

/**
 * Describes the settings of each type in the input of a carrier: in words with examples, and as schemas in `x-types`.
 * `anyOf` would make the settings of generated clients a union, which some of their languages lack.
 */
export function withCarrierSettings(input: Schema, types: CarrierSettings): Schema {
  const { settings, ...rest } = input.properties ?? {}
  if (settings === undefined) return input
  const words = Object.entries(types).map(([type, fields]) => inWords(type, fields))
  const described = {
    ...settings,
    description: [settings.description, ...words].filter((text) => text !== undefined).join(' '),
    'x-types': Object.fromEntries(
      Object.entries(types).map(([type, fields]) => [type, typeSchema(type, fields)]),
    ),
  }
  return { ...input, properties: { ...rest, settings: described } }
}

function typeSchema(type: string, fields: Fields): Schema {
  const example = exampleSettings[type]
  return {
    ...inputSchema(fields, 'input'),
    ...(example === undefined ? {} : { examples: [example] }),
  }
}

function inWords(type: string, fields: Fields): string {
  const required = Object.entries(fields).flatMap(([name, field]) =>
    isRequired(field) ? [name] : [],
  )
  const needs =
    required.length === 0
      ? `${type} requires none`
      : `${type} requires ${required.map((name) => `\`${name}\``).join(' and ')}`
  const example = exampleSettings[type]
  return example === undefined
    ? `${needs}.`
    : `${needs}, for example \`${JSON.stringify(example)}\`.`
}
