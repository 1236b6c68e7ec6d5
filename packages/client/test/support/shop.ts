import { collection } from '../../../../src/core/declaration/collection.ts'
import {
  array,
  boolean,
  choice,
  integer,
  map,
  object,
  text,
  timestampField,
} from '../../../../src/core/declaration/field.ts'

/** Export of an operator's configuration file: a shop with customers and their orders. */
export const shop = {
  collections: [
    {
      name: 'customers',
      noun: 'customer',
      description: 'A buyer.',
      searchedBy: ['name'],
      fields: {
        name: text({ required: true, maxLength: 100 }),
        address: object({
          street: text({ required: true }),
          town: text({ nullable: true }),
          checkedAt: timestampField({ readOnly: true }),
        }),
        friend: { kind: 'reference', collection: 'customers', nullable: true },
        regular: boolean({ default: false }),
        tags: array(text(), { default: [] }),
        notes: map(text(), { default: {} }),
        password: text({ writeOnly: true, required: true }),
        digest: text({ internal: true }),
        balance: integer({ live: true, readOnly: true }),
      },
    },
    {
      name: 'orders',
      noun: 'order',
      description: 'What a customer wants.',
      parent: 'customers',
      methods: { instance: ['GET', 'PUT'] },
      fields: {
        total: integer({ minimum: 0, required: true }),
        state: choice(['OPEN', 'PAID'], { default: 'OPEN' }),
        dueAt: timestampField({ nullable: true }),
        lines: array(object({ article: text(), count: integer() }), { default: [] }),
      },
    },
    {
      ...collection({
        name: 'articles',
        noun: 'article',
        description: 'An article for sale.',
        fields: { title: text({ required: true, unique: true }) },
      }),
      name: 'articles',
      parent: null,
    },
  ],
} as const
