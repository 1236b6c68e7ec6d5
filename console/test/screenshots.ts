import assert from 'node:assert/strict'
import { after, it } from 'node:test'
import type { Page } from 'playwright-core'
import { createClient } from '@nuncio/client'
import { findBrowser } from '../../test/openapi/browser.ts'
import { openConsole, startConsole } from './support/open-console.ts'
import { seed } from './support/seed.ts'

// `npm run console:screenshots` takes the pictures of the documentation again.

const { browser, reason } = await findBrowser()
after(() => browser?.close())

const screens = {
  overview: '',
  messages: 'messages',
  message: 'messages/failed',
  send: 'send',
  conversation: 'conversations/+10000000004?address=%2B447700900456',
  webhook: 'webhooks/shop',
  carriers: 'carriers',
}

/** Messages besides those of the seed, so that lists and charts are filled. */
const messagesCount = 120

const texts = [
  'Your parcel arrives today between 14:00 and 16:00.',
  'Your code is 492 817. It is valid for ten minutes.',
  'Ihr Termin: morgen um 9:30 Uhr. Antworten Sie STOP, um keine SMS mehr zu erhalten.',
  'Ваш заказ готов к выдаче.',
]

it('takes a picture of each screen of the documentation', { skip: reason ?? false }, async (t) => {
  assert.ok(browser !== null)
  const service = await startConsole(t)
  await seed(service)
  const client = createClient({ baseUrl: service.url, key: service.key })
  for (let n = 0; n < messagesCount; n += 1) {
    const to = n % 15 === 0 ? '+10000000001' : `+4915112${String(345_000 + 7 * n)}`
    await client.messages.create({ to, from: '+447700900456', body: texts[n % texts.length] ?? '' })
  }
  await client.messages.create({
    to: '+10000000004',
    from: '+447700900456',
    body: 'Thank you! See you on Friday.',
  })
  const viewport = { width: 1440, height: 900 }
  const { page, visit } = await openConsole(browser, service, { colorScheme: 'light', viewport })
  for (const [name, address] of Object.entries(screens)) {
    await visit(address)
    // The chart has the counts of the messages within five seconds.
    if (name === 'overview') await page.getByText('DELIVERED').first().waitFor({ timeout: 15_000 })
    if (name === 'send') await fillIn(page)
    const path = new URL(`../../docs/images/console-${name}.png`, import.meta.url).pathname
    await page.screenshot({ path })
  }
})

/** Writes a message whose quotation marks cost a second part. */
async function fillIn(page: Page): Promise<void> {
  await page.getByLabel('To (required)').fill('+4915112345678')
  await page.getByLabel('From').fill('+447700900456')
  await page
    .getByLabel('Text (required)')
    .fill('Hello Ada, “your parcel” arrives today between 14:00 and 16:00. Reply STOP to opt out.')
  await page.getByText('These characters force UNICODE').waitFor()
}
