import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { findBrowser } from '../../test/openapi/browser.ts'
import {
  accessibilityFaults,
  clippedElements,
  openConsole,
  startConsole,
} from './support/open-console.ts'
import { seed } from './support/seed.ts'

const { browser, reason } = await findBrowser()
after(() => browser?.close())

/** Every screen, with an instance where it shows one. */
const screens = [
  '',
  'messages',
  'messages?status.type=FAILED',
  'messages/failed',
  'send',
  'conversations',
  'conversations/+10000000004?address=%2B447700900456',
  'broadcasts',
  'broadcasts/sale',
  'broadcasts/sale/messages',
  'broadcast',
  'contacts',
  'contacts/ada',
  'groups/customers',
  'groups/customers/contacts',
  'optOuts',
  'webhooks',
  'webhooks/shop',
  'webhooks/shop/deliveries',
  'webhooks/shop/replays',
  'carriers',
  'carriers/north',
  'numbers',
  'credits',
  'prices',
  'keys',
  'accounts',
  'accounts/acme',
  'accounts/acme/creditMovements',
  'auditEvents',
  'maintenanceWindows',
  '_components',
]

const sizes = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
] as const

for (const colorScheme of ['light', 'dark'] as const) {
  for (const viewport of sizes) {
    const title = `every screen, ${colorScheme}, ${viewport.width} pixels wide`
    describe(title, { skip: reason ?? false }, () => {
      it('is accessible, complete and silent', async (t) => {
        assert.ok(browser !== null)
        const service = await startConsole(t)
        await seed(service)
        const opened = await openConsole(browser, service, { colorScheme, viewport })
        const found: string[] = []
        for (const screen of screens) {
          const missing = await opened.visit(screen).then(
            () => [],
            (error: Error) => [`not shown: ${error.message}`],
          )
          const faults = [
            ...missing,
            ...(await accessibilityFaults(opened.page)),
            ...(await clippedElements(opened.page)).map((one) => `clipped: ${one}`),
            ...opened.faults.splice(0),
          ]
          found.push(...faults.map((fault) => `${screen}: ${fault}`))
        }
        assert.deepEqual(found, [])
      })
    })
  }
}
