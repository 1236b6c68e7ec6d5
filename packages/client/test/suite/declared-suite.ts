import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createClient } from '../../src/index.ts'
import type { shop } from '../support/shop.ts'
import type { Open } from './client-suite.ts'

/** Tests of a client with a service, over the collections of `shop`. */
export function declaredSuite(name: string, open: Open): void {
  describe(`a client of ${name}, with collections of the operator’s own`, () => {
    it('uses them like those built in', async (t) => {
      const client = createClient<typeof shop>(await open(t))

      await client.customers.put('ann', { name: 'Ann', password: 'secret', tags: ['new'] })
      await client.customers.put('ben', { name: 'Ben', password: 'secret' })
      const { items } = await client.customers.list({ where: { tags: { ne: 'new' } } })

      assert.deepEqual(
        items.map(({ name, regular }) => [name, regular]),
        [['Ben', false]],
      )
    })

    it('reaches nested instances through their parent', async (t) => {
      const client = createClient<typeof shop>(await open(t))
      await client.customers.put('ann', { name: 'Ann', password: 'secret' })
      const { orders } = client.customers.at('ann')

      const made = await orders.create({ total: 100, dueAt: new Date(0) })
      const paid = await orders.update(made.id, (order) => ({ ...order, state: 'PAID' }))

      assert.deepEqual([paid.state, paid.dueAt], ['PAID', '1970-01-01T00:00:00.000Z'])
      await assert.rejects(client.customers.at('ben').orders.get(made.id), { type: 'not-found' })
    })
  })
}
