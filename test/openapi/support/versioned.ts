import { collection } from '../../../src/core/declaration/collection.ts'
import { array, choice, integer, object, text } from '../../../src/core/declaration/field.ts'
import type { JsonValue } from '../../../src/core/json.ts'
import type { Version } from '../../../src/core/declaration/version.ts'
import { builtIn } from '../../../src/collections/built-in.ts'
import { standardOffer, type Offer } from '../../../src/wiring/wire.ts'
import type { OpenApiDocument } from '../../../src/openapi/document.ts'
import { documents } from '../../../src/openapi/documents.ts'
import { options } from '../documented.ts'

const people = collection({
  name: 'people',
  noun: 'person',
  description: 'Whoever buys.',
  searchedBy: ['fullName'],
  fields: {
    fullName: text({ required: true, maxLength: 100, indexed: true }),
    rank: choice(['GOLD', 'NONE'], { default: 'NONE' }),
    ageInDays: integer({ minimum: 0, maximum: 50_000, nullable: true }),
    labels: array(text({ maxLength: 20 }), { default: [] }),
    home: object({ city: text({ maxLength: 40 }) }, { nullable: true }),
    contact: { kind: 'reference', collection: 'people', nullable: true },
    note: text({ nullable: true }),
  },
})

const orders = collection({
  name: 'orders',
  noun: 'order',
  description: 'What a person wants.',
  parent: 'people',
  fields: { title: text({ required: true }), count: integer({ default: 1 }) },
})

const visits = collection({
  name: 'visits',
  noun: 'visit',
  description: 'When a person came.',
  parent: 'people',
  fields: { place: text({ required: true }) },
})

const days = 365

const upper = (value: JsonValue): JsonValue =>
  Array.isArray(value) ? value.map((each) => String(each).toUpperCase()) : value
const lower = (value: JsonValue): JsonValue =>
  Array.isArray(value) ? value.map((each) => String(each).toLowerCase()) : value

/** Three versions, with a change of every kind between them. */
const chain: readonly Version[] = [
  { name: 'v1', changes: [], deprecatedAt: Date.UTC(2026, 0, 1), sunsetAt: Date.UTC(2027, 0, 1) },
  {
    name: 'v1.1.0',
    changes: [
      { kind: 'fieldRenamed', collection: 'clients', from: 'name', to: 'fullName' },
      { kind: 'fieldRemoved', collection: 'clients', field: 'vip', value: false },
      {
        kind: 'fieldRemoved',
        collection: 'clients/orders',
        field: 'state',
        value: 'OPEN',
        was: { kind: 'choice', enum: ['OPEN', 'CLOSED'], required: true },
      },
      { kind: 'collectionAdded', collection: 'clients/visits' },
    ],
  },
  {
    name: 'v2',
    changes: [
      { kind: 'collectionRenamed', from: 'clients', to: 'people' },
      { kind: 'fieldAdded', collection: 'people', field: 'note' },
      {
        kind: 'fieldChanged',
        collection: 'people',
        field: 'rank',
        up: (value) => (value === 'TOP' ? 'GOLD' : value),
        down: (value) => (value === 'GOLD' ? 'TOP' : value),
      },
      {
        kind: 'fieldChanged',
        collection: 'people',
        field: 'age',
        up: (value) => (typeof value === 'string' ? Number(value) * days : value),
        down: (value) => (typeof value === 'number' ? String(Math.floor(value / days)) : value),
        was: text({ pattern: '^[0-9]{1,3}$', nullable: true }),
      },
      { kind: 'fieldChanged', collection: 'people', field: 'labels', up: upper, down: lower },
      { kind: 'fieldRenamed', collection: 'people', from: 'age', to: 'ageInDays' },
    ],
  },
]

/** An installation whose own collections have changed from version to version. */
export const versioned: Offer = {
  ...standardOffer,
  collections: [...builtIn, people, orders, visits],
  versions: chain,
}

const made = documents({ collections: versioned.collections, options }, chain)

/** The document of one of its versions, as it goes over the wire. */
export function documentOf(version: string): OpenApiDocument {
  return JSON.parse(made.openApi(version))
}

/** The page of one of its versions. */
export function pageOf(version: string): string {
  return made.reference(version)
}
