import type { Field } from '../../core/declaration/field.ts'
import {
  choices,
  count,
  expression,
  finite,
  flag,
  formatName,
  json,
  oneOf,
  sentence,
  type WordCheck,
} from './word-checks.ts'

/** The kinds of fields. */
export type Kind = Field['kind']

type Table = Readonly<Record<string, WordCheck>>

/** What every field can say of itself. */
export const traits: Table = {
  description: sentence,
  required: flag,
  nullable: flag,
  default: json,
  readOnly: flag,
  writeOnly: flag,
  indexed: flag,
  unique: flag,
}

/** What a field can say besides, by its kind. What holds other fields is read apart. */
export const limits: Readonly<Record<Kind, Table>> = {
  text: {
    minLength: count,
    maxLength: count,
    pattern: expression,
    form: sentence,
    format: formatName,
  },
  integer: { minimum: finite, maximum: finite },
  number: { minimum: finite, maximum: finite },
  boolean: {},
  timestamp: {},
  choice: { enum: choices },
  object: {},
  array: { minItems: count, maxItems: count, uniqueItems: flag },
  map: { maxProperties: count },
  reference: { collection: sentence, onDelete: oneOf(['restrict', 'setNull', 'cascade']) },
}

/** The word under which a kind holds other fields. */
export const inner: Readonly<Partial<Record<Kind, 'properties' | 'items' | 'values'>>> = {
  object: 'properties',
  array: 'items',
  map: 'values',
}

/** Words without which a kind means nothing. */
export const needed: Readonly<Partial<Record<Kind, readonly string[]>>> = {
  choice: ['enum'],
  object: ['properties'],
  array: ['items'],
  map: ['values'],
  reference: ['collection'],
}

/** Tells whether a text is the name of a kind. */
export function isKind(value: unknown): value is Kind {
  return typeof value === 'string' && Object.hasOwn(limits, value)
}

/** Kinds whose values are single: they can be indexed and unique. */
export const single: readonly Kind[] = [
  'text',
  'integer',
  'number',
  'boolean',
  'timestamp',
  'choice',
  'reference',
]

/** Words of the service's own collections, which need code beside the declaration. */
export const ownWords = ['live', 'internal', 'open'] as const
