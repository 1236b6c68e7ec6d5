import { collection } from '../../../src/core/declaration/collection.ts'
import {
  array,
  integer,
  map,
  object,
  reference,
  text,
} from '../../../src/core/declaration/field.ts'
import { standardOffer, type Offer } from '../../../src/wiring/wire.ts'

/** What an operator might declare: references, unique fields, nested collections, conditions. */
const customers = collection({
  name: 'customers',
  noun: 'customer',
  description: 'Who buys.',
  searchedBy: ['name'],
  fields: {
    name: text({ required: true, maxLength: 200 }),
    email: text({ maxLength: 200, nullable: true, unique: true }),
    points: integer({ default: 0, indexed: true }),
    notes: map(text({ maxLength: 200 }), { default: {} }),
  },
})

const orders = collection({
  name: 'orders',
  noun: 'order',
  description: 'What was bought.',
  parent: 'customers',
  searchedBy: ['title'],
  fields: {
    title: text({ required: true, maxLength: 200 }),
    number: text({ maxLength: 40, nullable: true, unique: true }),
    referredBy: reference('customers', { nullable: true, onDelete: 'setNull' }),
  },
})

const carts = collection({
  name: 'carts',
  noun: 'cart',
  description: 'What might be bought.',
  conditional: true,
  fields: {
    customer: reference('customers', { required: true }),
    friends: array(reference('customers', { onDelete: 'cascade' }), { default: [] }),
    gift: object({ to: reference('contacts', { nullable: true }) }, { nullable: true }),
  },
})

const rates = collection({
  name: 'rates',
  noun: 'rate',
  description: 'A price, which belongs to the installation.',
  administratorsOnly: true,
  fields: { name: text({ required: true, unique: true }) },
})

/** The collections of every installation, and an operator's own. */
export const isolationOffer: Offer = {
  ...standardOffer,
  collections: [...standardOffer.collections, customers, orders, carts, rates],
}
