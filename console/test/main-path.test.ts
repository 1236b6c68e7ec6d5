import assert from 'node:assert/strict'
import { after, it } from 'node:test'
import { findInstalledBrowser, openConsole, startConsole } from './support/open-console.ts'

const { browser, reason } = await findInstalledBrowser()
after(() => browser?.close())

it(
  'a person signs in, sends a message and sees it delivered',
  { skip: reason ?? false },
  async (t) => {
    assert.ok(browser !== null)
    const service = await startConsole(t)
    const { page, faults, visit } = await openConsole(browser, service)

    await visit('send')
    await page.getByLabel('To (required)').fill('+4915112345678')
    await page.getByLabel('Text (required)').fill('Grüße – bis später')
    await page.getByText('These characters force UNICODE').waitFor()
    await page.getByRole('button', { name: 'Send message' }).click()
    await page.getByRole('heading', { name: 'To +4915112345678' }).getByText('Delivered').waitFor()
    await page.goto(`${service.url}/console/messages?to=%2B4915112345678`)
    const row = await page.getByRole('row', { name: /\+4915112345678/ }).textContent()

    assert.match(row ?? '', /Delivered/)
    assert.deepEqual(faults, [])
  },
)

it(
  'a key with a character that none has is refused as invalid',
  { skip: reason ?? false },
  async (t) => {
    assert.ok(browser !== null)
    const service = await startConsole(t)
    const page = await browser.newPage({ locale: 'en-GB' })
    await page.goto(`${service.url}/console`)

    await page.getByLabel('API key or one-time code').fill(`${service.key}ü`)
    await page.getByRole('button', { name: 'Sign in' }).click()

    await page.getByText('The key is invalid: no key contains “ü”. Copy it again.').waitFor()
  },
)

it('a form shows the fault of the service at its field', { skip: reason ?? false }, async (t) => {
  assert.ok(browser !== null)
  const service = await startConsole(t)
  const { page, visit } = await openConsole(browser, service)

  await visit('webhooks')
  await page.getByRole('button', { name: 'Create webhook' }).first().click()
  const form = page.getByRole('dialog')
  await form.getByLabel('URL (required)').fill('no address')
  await form.getByRole('button', { name: 'Create webhook' }).click()
  await form.getByText('URL must be an absolute').waitFor()
  await form.getByLabel('URL (required)').fill('http://127.0.0.1:9/')
  await form.getByRole('button', { name: 'Create webhook' }).click()

  await page.getByRole('dialog').getByText('whsec_').waitFor()
})
