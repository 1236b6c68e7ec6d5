import { alertFields } from '../../src/collections/alerts.ts'
import { alertTypes } from '../../src/core/ports/notification-log.ts'
import { builtIn } from '../../src/collections/built-in.ts'
import { finalStatuses, recordNames, sentStatuses } from '../../src/collections/messages.ts'
import { collection, type Collection } from '../../src/core/declaration/collection.ts'
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
import { catalogue, type Catalogue } from '../../src/engine/catalogue.ts'
import { builtInDocumentation } from '../../src/openapi/built-in-documentation.ts'
import type { OpenApiDocument } from '../../src/openapi/document.ts'
import { openApi, type OpenApiOptions } from '../../src/openapi/open-api.ts'

/** A collection of an operator's, with a field of every kind, and markup where people write. */
export const customers = collection({
  name: 'customers',
  noun: 'customer',
  description: 'Who buys from us. <script>alert("x")</script> & more.',
  searchedBy: ['name', 'number'],
  fields: {
    name: text({ required: true, minLength: 1, maxLength: 100, description: 'The `name`.' }),
    number: text({ required: true, unique: true, pattern: '^[A-Z]{2}-\\d{4,}$' }),
    email: text({ nullable: true, pattern: '^[^@\\s]+@[^@\\s]+$' }),
    language: choice(['en', 'de'], { default: 'en' }),
    level: choice(['GOLD', 'SILVER'], { nullable: true }),
    since: timestampField({ nullable: true }),
    discount: number({ minimum: 0, maximum: 0.5, default: 0 }),
    visits: integer({ readOnly: true, nullable: true }),
    active: boolean({ default: true }),
    address: object(
      {
        street: text({ required: true }),
        place: object({ city: text(), country: text({ pattern: '^[A-Z]{2}$', default: 'GB' }) }),
        verified: boolean({ readOnly: true, nullable: true }),
      },
      { nullable: true },
    ),
    labels: array(text({ pattern: '^[a-z]+$' }), { default: [], minItems: 0, maxItems: 5 }),
    ranks: array(integer({ minimum: 1 }), { minItems: 2, uniqueItems: true, nullable: true }),
    attributes: map(text({ maxLength: 50 }), { default: {}, maxProperties: 10 }),
    scores: map(object({ points: integer(), by: text({ nullable: true }) }), { default: {} }),
    contact: { kind: 'reference', collection: 'contacts', nullable: true },
    password: text({ writeOnly: true, minLength: 12, nullable: true }),
    note: text(),
  },
})

/** A collection that is nested in another. */
export const orders = collection({
  name: 'orders',
  noun: 'order',
  description: 'What a customer ordered.',
  parent: 'customers',
  order: 'newestFirst',
  methods: { instance: ['GET', 'PUT', 'DELETE'] },
  fields: {
    item: text({ required: true, maxLength: 200 }),
    amount: integer({ required: true, minimum: 1, maximum: 999 }),
    paidAt: timestampField({ nullable: true, indexed: true }),
  },
})

/** A collection that nobody changes unseen. */
export const contracts = collection({
  name: 'contracts',
  noun: 'contract',
  description: 'A contract.',
  conditional: true,
  fields: { title: text({ required: true }) },
})

/** What the service offers where the document is tested. */
export const offered: readonly Collection[] = [...builtIn, customers, orders, contracts]

/** The catalogue that the document is tested with. */
export const documented: Catalogue = catalogue(offered)

/** What the document is told besides. */
export const options: OpenApiOptions = {
  release: '0.1.0',
  version: 'v1',
  notifications: {
    collection: 'messages',
    fields: recordNames,
    alertFields,
    types: ['RECEIVED', 'SENT', ...alertTypes],
    typesDefault: ['RECEIVED', 'SENT'],
    statuses: sentStatuses,
    statusesDefault: finalStatuses,
  },
  ...builtInDocumentation,
}

/** The document of the catalogue above, as it goes over the wire. */
export function madeDocument(): OpenApiDocument {
  return JSON.parse(JSON.stringify(openApi(documented, options)))
}
