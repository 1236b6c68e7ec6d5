import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, describe, it, type TestContext } from 'node:test'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { findBrowser } from '../../openapi/browser.ts'
import { startOnSocket } from '../../support/app.ts'

const { browser, reason } = await findBrowser()
after(async () => browser?.close())

const findFaults = readFileSync(new URL('in-page/find-faults.js', import.meta.url), 'utf8')
const desk = { width: 1280, height: 800 }
const phone = { width: 390, height: 740 }

// Each test is skipped by itself, so that the count of skipped tests tells.
const skip = reason ?? false

describe('the reference in a browser', () => {
  for (const [colorScheme, viewport] of [
    ['light', desk],
    ['dark', phone],
  ] as const) {
    const title = `shows the document, from this service alone: ${colorScheme}, ${viewport.width} pixels`
    it(title, { skip }, async (t) => {
      const { baseUrl } = await startOnSocket(t)
      const { page, requests, complaints } = await open(t, `${baseUrl}/docs`, {
        colorScheme,
        viewport,
      })

      await page.getByRole('heading', { name: 'Nuncio' }).first().waitFor()

      assert.deepEqual(
        requests.filter((url) => !url.startsWith(baseUrl) && !url.startsWith('data:')),
        [],
      )
      assert.deepEqual(complaints, [])
    })
  }
})

describe('a problem page in a browser', () => {
  for (const [colorScheme, viewport] of [
    ['light', desk],
    ['dark', phone],
  ] as const) {
    it(`can be read: ${colorScheme}, ${viewport.width} pixels wide`, { skip }, async (t) => {
      const { baseUrl } = await startOnSocket(t)
      const target = `${baseUrl}/problems/invalid-body`
      const { page, requests, complaints } = await open(t, target, { colorScheme, viewport })

      assert.deepEqual(await page.evaluate<readonly string[]>(findFaults), [])
      assert.deepEqual([requests, complaints], [[target], []])
    })
  }
})

interface Opened {
  readonly page: Page
  readonly requests: readonly string[]
  /** What the console said, and what the policy stopped. */
  readonly complaints: readonly string[]
}

async function open(t: TestContext, url: string, options: BrowserContextOptions): Promise<Opened> {
  assert.ok(browser)
  const context = await browser.newContext({ reducedMotion: 'reduce', ...options })
  t.after(() => context.close())
  const page = await context.newPage()
  const requests: string[] = []
  const complaints: string[] = []
  page.on('request', (request) => requests.push(request.url()))
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('dialog', (dialog) => complaints.push(dialog.message()))
  await page.goto(url)
  return { page, requests, complaints }
}
