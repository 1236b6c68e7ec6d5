import { createClient } from '@nuncio/client'
import type { Service } from '../../../test/support/service.ts'

/** Fills a service with an instance of each kind, and waits until its messages have ended. */
export async function seed({ url, key }: Service): Promise<void> {
  const client = createClient({ baseUrl: url, key })
  await client.contacts.put('ada', { name: 'Ada Lovelace', address: '+447700900123' })
  await client.contacts.put('grace', { name: 'Grace Hopper', address: '+447700900124' })
  await client.groups.put('customers', { name: 'Customers' })
  for (const id of ['ada', 'grace']) await client.groups.at('customers').contacts.create({ id })
  await client.numbers.put('main', { address: '+447700900456' })
  await client.optOuts.put('kay', { address: '+447700900199' })
  await client.prices.put('germany', { prefix: '+49', creditsPerPart: 0.07 })
  await client.accounts.put('acme', { name: 'Acme' })
  await client.keys.put('shop', { name: 'Shop', scopes: ['messages:read'] })
  await client.webhooks.put('shop', { name: 'Shop', url: 'http://127.0.0.1:9/' })
  await client.carriers.put('north', {
    name: 'North telecom',
    type: 'SIMULATOR',
    routes: [{ prefix: '+49', weight: 3 }],
  })
  for (const to of ['+447700900123', '+10000000001', '+10000000004', '+4915112345678']) {
    await client.messages.create({ to, from: '+447700900456', body: 'Your parcel arrives today.' })
  }
  await client.messages.put('failed', { to: '+10000000002', body: 'Refused by the carrier.' })
  await client.broadcasts.put('sale', {
    name: 'Autumn sale',
    body: 'Hi {{name}}',
    to: { group: 'customers' },
  })
  const ended = client.notifications.poll({ everyMs: 50 })
  for await (const { id } of ended) if (id === 'failed') return
}
