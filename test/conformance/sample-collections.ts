import { accounts } from '../../src/collections/accounts.ts'
import { keys } from '../../src/collections/keys.ts'
import { type Collection, collection } from '../../src/core/declaration/collection.ts'
import {
  array,
  boolean,
  choice,
  integer,
  map,
  number,
  object,
  text,
  timestampField,
} from '../../src/core/declaration/field.ts'
import type { JsonObject } from '../../src/core/json.ts'

/** A collection with a field of every kind, indexed and not. */
export const things = collection({
  name: 'things',
  noun: 'thing',
  description: 'A thing.',
  searchedBy: ['name', 'note'],
  fields: {
    name: text({ nullable: true, indexed: true }),
    note: text({ nullable: true }),
    code: text({ nullable: true, unique: true }),
    size: integer({ nullable: true, indexed: true }),
    weight: number({ nullable: true }),
    ready: boolean({ nullable: true }),
    madeAt: timestampField({ nullable: true }),
    status: object({
      id: text({ nullable: true }),
      type: choice(['NEW', 'OLD'], { indexedValues: ['OLD'] }),
    }),
    tags: array(text(), { nullable: true }),
    ratings: array(integer()),
    labels: map(text({ nullable: true })),
    secret: text({ writeOnly: true, indexed: true }),
    inner: object({ pin: text({ internal: true }) }, { internal: true }),
  },
})

/** Nested in things. */
export const pieces = collection({
  name: 'pieces',
  noun: 'piece',
  description: 'A piece of a thing.',
  parent: 'things',
  searchedBy: ['name'],
  fields: {
    name: text({ nullable: true }),
    rank: integer({ nullable: true, indexed: true }),
    serial: text({ nullable: true, unique: true }),
  },
})

/** Instances have owners, and no two of any owner share a code. */
export const badges = collection({
  name: 'badges',
  noun: 'badge',
  description: 'A badge.',
  owned: true,
  fields: { code: text({ nullable: true, unique: true }) },
})

/** Each may have a submission, and receipts that are expected. */
export const messages = collection({
  name: 'messages',
  noun: 'message',
  description: 'A message.',
  fields: { body: text({ nullable: true }) },
})

/** Each may have a consumer and dead letters. */
export const webhooks = collection({
  name: 'webhooks',
  noun: 'webhook',
  description: 'A webhook.',
  fields: { url: text({ nullable: true }) },
})

/** Names that differ by case alone, or are words of SQL, are names as others are. */
export const awkward = ['Things', 'order', 'optOuts', 'optouts', 'opt_outs'].map((name) =>
  collection({
    name,
    noun: 'thing',
    description: 'A thing with an awkward name.',
    fields: { select: text({ indexed: true, nullable: true }), Select: text({ indexed: true }) },
  }),
)

/** What the stores under test are opened with. */
export const sampleCollections: readonly Collection[] = [
  things,
  pieces,
  badges,
  keys,
  accounts,
  messages,
  webhooks,
  ...awkward,
]

/** A thing; what is not given is null or empty. */
export function aThing(id: string, fields: JsonObject = {}): JsonObject {
  const empty = {
    name: null,
    note: null,
    code: null,
    size: null,
    weight: null,
    ready: null,
    madeAt: null,
    status: { id: null, type: 'NEW' },
    tags: [],
    ratings: [],
    labels: {},
  }
  return { id, ...empty, ...fields, createdAt: dawn, updatedAt: dawn }
}

/** A piece. */
export function aPiece(id: string, fields: JsonObject = {}): JsonObject {
  return { id, name: null, rank: null, serial: null, ...fields, createdAt: dawn, updatedAt: dawn }
}

const dawn = '2026-01-01T00:00:00.000Z'
