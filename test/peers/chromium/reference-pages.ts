import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { after, describe, it } from 'node:test'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { methods } from '../../../src/openapi/document.ts'
import { pageHeaders } from '../../../src/openapi/page/page-headers.ts'
import { problemPage } from '../../../src/openapi/problem-page.ts'
import { referencePage } from '../../../src/openapi/reference-page.ts'
import { findBrowser } from '../../openapi/browser.ts'
import { madeDocument } from '../../openapi/documented.ts'
import { pageOf } from '../../openapi/support/versioned.ts'

const { browser, reason } = await findBrowser()
const document = madeDocument()
const reference = referencePage(document)
const served: Readonly<Record<string, string>> = { '/docs': reference, '/docs/v1': pageOf('v1') }
const [findFaults, followLinks] = [inPage('find-faults.js'), inPage('follow-links.js')]

const server = createServer((request, response) => {
  response.writeHead(200, pageHeaders)
  response.end(served[request.url ?? ''] ?? problemPage('invalid-body'))
})
await new Promise<void>((resolve) => {
  server.listen(0, '127.0.0.1', resolve)
})
const address = server.address()
const origin = typeof address === 'object' ? `http://127.0.0.1:${address?.port}` : ''
after(async () => {
  await browser?.close()
  server.close()
})

const desk = { width: 1280, height: 800 }
const phone = { width: 360, height: 740 }

// Each test is skipped by itself, so that the count of skipped tests tells.
const skip = reason ?? false

describe('the reference in a browser', () => {
  for (const [path, colorScheme, viewport] of [
    ['/docs', 'light', desk],
    ['/docs', 'dark', desk],
    ['/docs', 'light', phone],
    ['/docs/v1', 'light', desk],
    ['/docs/v1', 'dark', phone],
    ['/problems/invalid-body', 'light', desk],
    ['/problems/invalid-body', 'dark', phone],
  ] as const) {
    const title = `can be read: ${path}, ${colorScheme}, ${viewport.width} pixels wide`
    it(title, { skip }, async () => {
      await using opened = await open(path, { colorScheme, viewport })

      const faults = await opened.page.evaluate<readonly string[]>(findFaults)

      assert.deepEqual(faults, [])
    })
  }

  it('asks for the page and nothing else, and breaks no rule of its policy', { skip }, async () => {
    await using opened = await open('/docs', { viewport: desk })
    await opened.page.locator('summary').first().click()

    assert.deepEqual(opened.requests, [`${origin}/docs`])
    assert.deepEqual(opened.complaints, [])
  })

  it('applies its own style and runs no script that slips in', { skip }, async () => {
    await using opened = await open('/docs', { viewport: desk })

    const [font, ran] = await opened.page.evaluate<readonly [string, boolean]>(inPage('slip-in.js'))

    assert.match(font, /system-ui/)
    assert.equal(ran, false)
    assert.ok(opened.complaints.some((text) => text.includes('Content Security Policy')))
  })

  it('leads from the navigation to every operation, without scripts', { skip }, async () => {
    await using opened = await open('/docs', { viewport: desk, javaScriptEnabled: false })
    const titles = [...Object.values(document.paths), ...Object.values(document.webhooks)]
      .flatMap((item) => methods.flatMap((method) => item[method] ?? []))
      .map(({ operationId, summary }) => [operationId, summary])

    const seen = await opened.page.evaluate<readonly (readonly [string, string])[]>(followLinks)

    assert.deepEqual(seen.toSorted(), titles.toSorted())
    assert.ok(titles.length > 40)
  })

  it('opens and closes its contents on a telephone, without scripts', { skip }, async () => {
    await using opened = await open('/docs', { viewport: phone, javaScriptEnabled: false })
    const { page } = opened
    const contents = page.getByRole('navigation', { name: 'Contents' })
    assert.equal(await contents.isVisible(), false)

    await page.getByRole('link', { name: 'Contents' }).click()
    assert.equal(await contents.isVisible(), true)
    await contents.getByRole('link', { name: 'POST Create a message' }).click()

    assert.equal(await contents.isVisible(), false)
    const title = page.getByRole('heading', { name: 'Create a message', exact: true })
    const box = await title.boundingBox()
    assert.ok(box !== null && box.y > 0 && box.y < phone.height)
  })
})

interface Opened extends AsyncDisposable {
  readonly page: Page
  readonly requests: readonly string[]
  /** What the console said, and what the policy stopped. */
  readonly complaints: readonly string[]
}

async function open(path: string, options: BrowserContextOptions): Promise<Opened> {
  assert.ok(browser)
  const context = await browser.newContext({ reducedMotion: 'reduce', ...options })
  const page = await context.newPage()
  const requests: string[] = []
  const complaints: string[] = []
  page.on('request', (request) => requests.push(request.url()))
  page.on('console', (message) => complaints.push(message.text()))
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('dialog', (dialog) => complaints.push(dialog.message()))
  await page.goto(`${origin}${path}`)
  return { page, requests, complaints, [Symbol.asyncDispose]: () => context.close() }
}

/** The text of a script that runs inside a page. */
function inPage(file: string): string {
  return readFileSync(new URL(`in-page/${file}`, import.meta.url), 'utf8')
}
