import {
  array,
  choice,
  collection,
  defineConfig,
  integer,
  number,
  object,
  reference,
  text,
  timestamp,
  type InstanceOf,
} from 'nuncio'

/** Whoever buys from us. */
export const customers = collection({
  name: 'customers',
  noun: 'customer',
  description: 'Whoever buys from us.',
  searchedBy: ['name'],
  fields: {
    name: text({ required: true, minLength: 1, maxLength: 100, indexed: true }),
    number: text({
      required: true,
      unique: true,
      maxLength: 8,
      pattern: '^C-\\d{4,6}$',
      description: 'The number on their invoices. No two customers have the same.',
    }),
    level: choice(['NEW', 'REGULAR', 'GOLD'], { default: 'NEW', indexed: true }),
    discount: number({ minimum: 0, maximum: 0.5, default: 0 }),
    address: object(
      { street: text({ required: true, maxLength: 200 }), town: text({ required: true }) },
      { nullable: true },
    ),
    tags: array(text({ minLength: 1, maxLength: 40 }), { maxItems: 20, default: [] }),
    contact: reference('contacts', {
      nullable: true,
      onDelete: 'setNull',
      description: 'Where to send them messages.',
    }),
  },
})

/** What a customer has ordered. */
export const orders = collection({
  name: 'orders',
  noun: 'order',
  description: 'What a customer has ordered.',
  parent: 'customers',
  order: 'newestFirst',
  searchedBy: ['article'],
  fields: {
    article: text({ required: true, minLength: 1, maxLength: 200 }),
    quantity: integer({ minimum: 1, maximum: 1000, default: 1 }),
    price: number({ required: true, minimum: 0, description: 'For one piece.' }),
    state: choice(['OPEN', 'PAID', 'SHIPPED'], { default: 'OPEN', indexed: true }),
    shippedAt: timestamp({ nullable: true, indexed: true }),
  },
})

/** An order as the service shows it; nobody has written this type down. */
export type Order = InstanceOf<typeof orders>

export const config = defineConfig({ collections: [customers, orders] })
