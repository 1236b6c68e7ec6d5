import assert from 'node:assert/strict'
import { Client } from 'pg'
import { accountId } from '../../../src/core/account.ts'
import type { Store } from '../../../src/core/ports/store.ts'
import { aNotification, everything } from '../../conformance/sample-notifications.ts'

/** The account that notifies. */
export const ours = accountId('ours')

/** Runs work while another program has a transaction open that wrote something. */
export async function withOpenTransaction(
  url: string,
  work: (client: Client) => Promise<void>,
): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await client.query('begin')
    await client.query('create temporary table foreign_program (id int)')
    await client.query('insert into foreign_program values (1)')
    await work(client)
  } finally {
    await client.end()
  }
}

/** Throws unless a notification can be read as soon as its transaction is committed. */
export async function checkVisibleAtOnce(store: Store): Promise<void> {
  await store.transact((tx) => tx.in(ours).notify(aNotification('first')))
  await store.transact((tx) => tx.in(ours).notify(aNotification('second')))

  const entries = await store.log.read(ours, null, everything, 9)

  assert.deepEqual(
    entries.map(({ messageId }) => messageId),
    ['first', 'second'],
  )
}
