import assert from 'node:assert/strict'
import { after, it } from 'node:test'
import { createClient } from '@nuncio/client'
import { findBrowser } from '../../test/openapi/browser.ts'
import { openConsole, startConsole } from './support/open-console.ts'
import { seed } from './support/seed.ts'

const { browser, reason } = await findBrowser()
after(() => browser?.close())

it('a person can', { skip: reason ?? false }, async (t) => {
  assert.ok(browser !== null)
  const service = await startConsole(t)
  await seed(service)
  const client = createClient({ baseUrl: service.url, key: service.key })
  const { page, visit, faults } = await openConsole(browser, service)

  await t.test('pause live updates, and see the changes afterwards', async () => {
    await visit('messages')

    await page.getByRole('button', { name: 'Pause live updates' }).click()
    await client.messages.create({ to: '+447700900123', body: 'During a pause' })
    await page.getByRole('button', { name: 'Resume live updates' }).click()

    await page.getByRole('button', { name: '1 new' }).click()
    await page.getByText('During a pause').waitFor()
  })

  await t.test('see what a replay selects, by all its fields, before it starts', async () => {
    await visit('webhooks/shop')

    await page.getByRole('button', { name: 'Replay' }).click()
    const drawer = page.getByRole('dialog')
    await drawer.getByRole('button', { name: 'Last hour' }).click()
    await drawer.getByText(/^\d+ messages are selected\.$/).waitFor()
    await drawer.getByLabel('Message ids').fill('failed')
    await drawer.getByText('1 message is selected.').waitFor()
    await drawer.getByRole('button', { name: 'Replay', exact: true }).click()

    await page.getByRole('heading', { name: 'Replays' }).waitFor()
  })

  await t.test('save a view of a list, and open it again', async () => {
    await visit('messages')

    await page.getByLabel('Filter messages').fill('to=+10000000002')
    await page.getByLabel('Filter messages').press('Enter')
    await page.getByRole('button', { name: 'Save view' }).click()
    await page.getByLabel('Name').fill('Refused')
    await page.getByRole('dialog').getByRole('button', { name: 'Save view' }).click()
    await visit('messages')
    await page.getByRole('link', { name: 'Refused' }).click()

    await page.getByText('1 shown').waitFor()
    assert.match(page.url(), /to=%2B10000000002/)
  })

  await t.test('answer a counterpart, and opt it out', async () => {
    await visit('conversations')
    await page.getByRole('link', { name: '+10000000004' }).click()

    await page.getByLabel('Reply', { exact: true }).fill('Thanks, noted.')
    await page.getByRole('button', { name: 'Send reply' }).click()
    const own = page.getByRole('listitem').filter({ hasText: 'Thanks, noted.' })
    await own.getByText('Delivered').waitFor()
    await page.getByRole('button', { name: 'Opt out' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Opt out' }).click()

    await page.getByText('Opted out', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Remove opt-out' }).waitFor()
  })

  assert.deepEqual(faults, [])
})
