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

/** The words of every field. */
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

/** The further words of a field by its kind. Words that contain fields are read separately. */
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

/** Returns whether a text is the name of a kind. */
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

/** The words of built-in collections, which need code besides the declaration. */
export const ownWords = ['live', 'internal', 'secret', 'open', 'indexedValues'] as const
