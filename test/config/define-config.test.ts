import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  array,
  choice,
  collection,
  defineConfig,
  integer,
  object,
  reference,
  text,
  timestamp,
  type InstanceOf,
} from 'nuncio'

const customers = collection({
  name: 'customers',
  noun: 'customer',
  description: 'Whoever buys.',
  searchedBy: ['name'],
  fields: {
    name: text({ required: true, maxLength: 100 }),
    rank: choice(['GOLD', 'SILVER'], { default: 'SILVER' }),
    address: object({ town: text({ nullable: true }) }, { nullable: true }),
    tags: array(text({ maxLength: 20 }), { default: [] }),
    pin: text({ writeOnly: true }),
    friend: reference('customers', { nullable: true, onDelete: 'setNull' }),
    since: timestamp({ nullable: true }),
    points: integer({ readOnly: true, default: 0 }),
  },
})

const config = defineConfig({
  port: 9000,
  retrySchedule: [1, 2],
  webhookNetworks: ['10.0.0.0/8'],
  collections: [
    customers,
    {
      name: 'orders',
      noun: 'order',
      description: 'What a customer wants.',
      parent: 'customers',
      fields: { total: integer({ required: true }) },
    },
  ],
})

describe('defineConfig', () => {
  it('returns what it is given, numbers and lists as such', () => {
    assert.equal(config.port, 9000)
    assert.deepEqual(
      config.collections?.map(({ name }) => name),
      ['customers', 'orders'],
    )
  })

  it('keeps the names, so that the type of a client can be read off it', () => {
    type Names = NonNullable<(typeof config)['collections']>[number]['name']

    prove<Equal<Names, 'customers' | 'orders'>>(true)
  })

  it('lets the type of an instance be read off a declaration, what is never shown left out', () => {
    type Customer = InstanceOf<typeof customers>

    prove<
      Equal<
        { [K in keyof Customer]: Customer[K] },
        {
          readonly id: string
          readonly name: string
          readonly rank: 'GOLD' | 'SILVER'
          readonly address: { readonly town: string | null } | null
          readonly tags: readonly string[]
          readonly friend: string | null
          readonly since: string | null
          readonly points: number
          readonly createdAt: string
          readonly updatedAt: string
        }
      >
    >(true)
  })
})

/** Whether two types are the same. */
type Equal<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false

/** States something of types. The compiler refuses a statement that does not hold. */
function prove<T extends boolean>(holds: T): void {
  assert.equal(holds, true)
}
