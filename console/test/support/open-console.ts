import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { TestContext } from 'node:test'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { findBrowser, type Found } from '../../../test/openapi/browser.ts'
import { startService, temporaryFolder, type Service } from '../../../test/support/service.ts'

const root = new URL('../../../', import.meta.url).pathname

/** Starts the browser of the peers if it is installed: `npm test` installs nothing. */
export async function findInstalledBrowser(): Promise<Found> {
  if (existsSync(`${root}test/peers/chromium/node_modules`)) return findBrowser()
  return { browser: null, reason: 'npm run test:console installs the browser' }
}

/** Builds the console unless it is built. */
export async function buildConsole(): Promise<void> {
  if (existsSync(`${root}console/dist/csp.json`)) return
  await promisify(execFile)('npm', ['run', 'build', '--workspace', 'console'], { cwd: root })
}

/** Starts a service with the built console. */
export async function startConsole(t: TestContext): Promise<Service> {
  await buildConsole()
  return startService(t, await temporaryFolder(t), { NUNCIO_SIMULATOR_DELAY_MS: '20' })
}

/** A page of the console, and what went wrong in it. */
export interface OpenedConsole {
  readonly page: Page
  /** Messages of the browser's console, and requests to other hosts. */
  readonly faults: string[]
  readonly visit: (address: string) => Promise<void>
}

/** Signs in by the form, as a person does. */
export async function openConsole(
  browser: Browser,
  service: Service,
  options: BrowserContextOptions = {},
): Promise<OpenedConsole> {
  const context = await browser.newContext({ locale: 'en-GB', ...options })
  const page = await context.newPage()
  page.setDefaultTimeout(10_000)
  const faults: string[] = []
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) faults.push(`console: ${message.text()}`)
  })
  page.on('pageerror', (error) => faults.push(`error: ${error.message}`))
  page.on('request', (request) => {
    if (!request.url().startsWith(service.url)) faults.push(`foreign request: ${request.url()}`)
  })
  await page.goto(`${service.url}/console`)
  await page.getByLabel('API key or one-time code').fill(service.key)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
  const visit = async (address: string): Promise<void> => {
    await page.goto(`${service.url}/console/${address}`)
    await page.locator('main h1').first().waitFor()
    // The page of all components shows one that holds the place of others, for good.
    if (address === '_components') return
    await page.locator('[aria-busy]').first().waitFor({ state: 'detached' })
  }
  return { page, faults, visit }
}

/** Returns the violations of WCAG 2.2 AA that axe finds on a page. */
export async function accessibilityFaults(page: Page): Promise<readonly string[]> {
  const source = await readFile(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8')
  await page.evaluate(source)
  return page.evaluate<readonly string[]>(`
    axe.run({ runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] })
      .then(({ violations }) => violations.map((one) =>
        one.id + ': ' + one.nodes.slice(0, 3).map((node) =>
          node.target.join(' ') + ' ' + (node.any[0]?.message ?? '')).join(' | ')))`)
}

/** Returns the elements that are wider than the page, so that a phone would scroll sideways. */
export async function clippedElements(page: Page): Promise<readonly string[]> {
  return page.evaluate<readonly string[]>(`
    [...document.querySelectorAll('main h1, main button, main a, main dt, main dd, main p, main label')]
      .filter((one) => one.closest('.table-scroll, .tabs, .visually-hidden, .code, pre') === null)
      .filter((one) => one.getClientRects().length > 0)
      .filter((one) => one.getBoundingClientRect().right > innerWidth + 1)
      .map((one) => one.tagName + ' ' + one.textContent.slice(0, 60))`)
}
