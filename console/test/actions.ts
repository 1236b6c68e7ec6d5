import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { after, it } from 'node:test'
import { createClient } from '@nuncio/client'
import { client, fakeIssuer } from '../../test/api/support/fake-issuer.ts'
import { findBrowser } from '../../test/openapi/browser.ts'
import { freePort } from '../../test/support/free-ports.ts'
import { startService, temporaryFolder } from '../../test/support/service.ts'
import {
  accessibilityFaults,
  buildConsole,
  openConsole,
  startConsole,
} from './support/open-console.ts'
import { seed } from './support/seed.ts'

const { browser, reason } = await findBrowser()
after(() => browser?.close())

it('a person can', { skip: reason ?? false }, async (t) => {
  assert.ok(browser !== null)
  const service = await startConsole(t)
  await seed(service)
  const api = createClient({ baseUrl: service.url, key: service.key })
  const { page, visit, faults } = await openConsole(browser, service)

  await t.test('pause live updates, and see the changes afterwards', async () => {
    await visit('messages')

    await page.getByRole('button', { name: 'Pause live updates' }).click()
    await api.messages.create({ to: '+447700900123', body: 'During a pause' })
    await page.getByRole('button', { name: 'Resume live updates' }).click()

    await page.getByRole('button', { name: '1 new' }).click()
    await page.getByText('During a pause').waitFor()
  })

  await t.test('see which carrier messages wait for, and read these', async () => {
    await api.carriers.put('closed', { name: 'Closed carrier', type: 'SIMULATOR', active: false })
    await api.messages.put('waiting', { to: '+447700900123', body: 'Waits', carrier: 'closed' })
    await visit('')

    const backlog = page.locator('section', { hasText: 'Backlog by carrier' }).last()
    await backlog.getByRole('link', { name: 'Closed carrier' }).waitFor({ timeout: 20_000 })
    await backlog.getByRole('link', { name: /^1 message waits, the oldest for / }).click()

    await page.getByText('1 shown').waitFor()
    await page.getByText('Waits', { exact: true }).waitFor()
    await api.messages.delete('waiting')
    await api.carriers.delete('closed')
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

  await t.test('import 1,000 contacts with three faults, and the same list again', async () => {
    const rows = Array.from({ length: 1000 }, (_, n) => {
      const address = n === 99 ? '0151 23' : n === 499 ? '' : `+49151${2_000_000 + n}`
      return n === 999 ? 'Double,+491512000001,Ulm' : `Person ${n},${address},Ulm`
    })
    await api.contacts.put('known', { name: 'Old name', address: '+491512000000', tags: ['vip'] })
    const file = {
      name: 'contacts.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(`name,phone,city\n${rows.join('\n')}\n`),
    }
    await visit('contacts')

    const drawer = page.getByRole('dialog')
    const open = async (): Promise<void> => {
      await page.getByRole('button', { name: 'Import CSV' }).first().click()
      await drawer.getByLabel('CSV file').setInputFiles(file)
      await drawer.getByText('997 contacts, 3 lines are left out:').waitFor()
      for (const line of ['Line 101', 'Line 501', 'Line 1001'])
        await drawer.getByText(line).waitFor()
    }
    await open()
    await drawer.getByLabel('1 number belongs to a contact already').waitFor()
    assert.deepEqual(await accessibilityFaults(page), [])
    await drawer.getByRole('button', { name: 'Import 997 contacts' }).click()
    await drawer.getByText(/^Contacts stored: \d+ of 997$/).waitFor()
    const first = '996 contacts created, 1 updated, 3 lines left out.'
    await drawer.getByText(first).waitFor({ timeout: 60_000 })
    await drawer.getByRole('button', { name: 'Done' }).click()
    const updated = await api.contacts.get('known')
    assert.deepEqual(
      [updated.name, updated.tags, updated.attributes],
      ['Person 0', ['vip'], { city: 'Ulm' }],
    )

    await api.groups.put('imported', { name: 'Imported' })
    await visit('groups/imported/contacts')
    await open()
    await drawer
      .getByLabel('997 numbers belong to a contact already')
      .selectOption('Add them unchanged')
    await drawer.getByRole('button', { name: 'Import 997 contacts' }).click()
    const second = '0 contacts created, 997 unchanged, 3 lines left out.'
    await drawer.getByText(second).waitFor({ timeout: 60_000 })
    const members = await api.groups.at('imported').contacts.list({ count: true, pageSize: 1 })
    assert.equal(members.total, 997)
    await drawer.getByRole('button', { name: 'Done' }).click()
  })

  await t.test(
    'see what somebody else changed during an edit, and keep the own changes',
    async () => {
      await visit('webhooks/shop')
      const form = page.getByRole('dialog')
      await page.getByRole('button', { name: 'Edit' }).click()
      await form.getByLabel('Name', { exact: true }).fill('Mine')
      await api.webhooks.patch('shop', { name: 'Theirs', maxBatch: 7 })

      await form.getByRole('button', { name: 'Save changes' }).click()
      const notice = form.getByRole('alert')
      await notice.getByText(/^The key \S+ changed this webhook$/).waitFor()
      await notice.getByText('Name: Shop → Theirs (you changed it too)').waitFor()
      await notice.getByText('Max batch: 100 → 7').waitFor()
      assert.equal(await form.getByLabel('Name', { exact: true }).inputValue(), 'Mine')
      assert.deepEqual(await accessibilityFaults(page), [])
      await api.webhooks.patch('shop', { description: 'Changed once more' })
      await form.getByRole('button', { name: 'Overwrite with my changes' }).click()
      await notice.getByText('Description: – → Changed once more').waitFor()
      await form.getByRole('button', { name: 'Apply my changes' }).click()
      await page.getByText('Saved webhook').waitFor()

      const refusals = faults.splice(0)
      assert.ok(refusals.every((fault) => fault.includes('412')))
      const { name, maxBatch, description } = await api.webhooks.get('shop')
      assert.deepEqual([name, maxBatch, description], ['Mine', 7, 'Changed once more'])
      await api.webhooks.patch('shop', { name: 'Shop', maxBatch: 100, description: null })
    },
  )

  await t.test('see which recipients of a broadcast are skipped, and why', async () => {
    await visit('broadcast')
    const list = 'name,phone\nAda,+447700900123\nKay,+447700900199\nTwin,+447700900123\nBad,12\n'

    await page.getByLabel('Or paste it').fill(`${list},+447700900125\n`)
    await page.getByLabel('Text (required)').fill('Dear {{name}}')

    await page.getByText('Line 4 has the number of line 2').waitFor()
    await page.getByText('Line 5 has no telephone number in international form').waitFor()
    await page.getByText('1 recipient: opted out of this sender+447700900199').waitFor()
    await page.getByText(/^1 recipient: no value for \{\{name\}\}.*\+447700900125$/).waitFor()
  })

  await t.test('go to an instance by the identifier that a client chose', async () => {
    await visit('')
    await page.keyboard.press('Control+k')
    const palette = page.getByRole('dialog', { name: 'Command palette' })

    await palette.getByRole('searchbox').fill('customers')
    await palette.getByRole('menuitem', { name: 'Open group customers' }).waitFor()
    await page.keyboard.press('Enter')

    await page.getByRole('heading', { level: 1, name: 'Customers' }).waitFor()
    assert.match(page.url(), /groups\/customers$/)

    await page.keyboard.press('Control+k')
    await page.keyboard.insertText('nobody-has-this')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Messages' }).waitFor()
    assert.match(page.url(), /search=nobody-has-this$/)
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

  await t.test('make a key that only reads', async () => {
    await visit('keys')

    await page.getByRole('button', { name: 'Create key' }).first().click()
    const drawer = page.getByRole('dialog')
    await drawer.getByRole('button', { name: 'Read only' }).click()
    assert.equal(await drawer.getByLabel('Scopes').inputValue(), '*:read')
    await drawer.getByRole('button', { name: 'Create key' }).click()

    await page.getByText('Copy the secret now').waitFor()
    await page.getByRole('button', { name: 'I have stored it' }).click()
  })

  await t.test('answer a counterpart, and opt it out', async () => {
    await visit('conversations')
    await page.getByRole('link', { name: 'Received' }).click()
    await page.getByRole('link', { name: '+10000000004' }).waitFor()
    await page.getByRole('link', { name: 'Unanswered' }).click()
    await page.waitForURL(/shown=unanswered/)
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

  await t.test('create something by a form that says what is wrong, below no toast', async () => {
    await visit('optOuts')
    await page.keyboard.press('Control+k')
    await page.keyboard.insertText('create opt-out')
    await page.keyboard.press('Enter')

    const form = page.getByRole('dialog', { name: 'Create opt-out' })
    const address = form.getByLabel('Address (required)')
    await form.getByText('Leave empty for all senders.').waitFor()
    await address.and(page.locator(':focus')).waitFor()
    await form.getByLabel('Sender').fill('SHOP')
    await form.getByRole('button', { name: 'Create opt-out' }).click()
    await form.getByText('Not saved: 1 fault').waitFor()
    await address.and(page.locator(':focus')).waitFor()
    assert.ok(faults.splice(0).every((fault) => fault.includes('400')))
    await address.fill('0151 1234')
    await form.getByText('Without + this is the short code 01511234.').waitFor()
    await address.fill('+447700900177')
    await form.getByRole('button', { name: 'Create opt-out' }).click()
    await page.getByText('Created opt-out').waitFor()

    await page.getByRole('button', { name: 'Create opt-out' }).first().click()
    // Playwright waits for what covers a button to go away: the toast goes after eight seconds.
    await form.getByRole('button', { name: 'Create opt-out' }).click({ trial: true, timeout: 2000 })
    await page.keyboard.press('Escape')
  })

  await t.test('close the suggestions of a filter by Enter and by Escape', async () => {
    await visit('optOuts')
    const filter = page.getByLabel('Filter opt-outs', { exact: true })
    const suggestions = page.getByRole('menu')

    await filter.fill('address=+447700900199')
    await filter.press('Enter')
    await page.getByText('Address = +447700900199').waitFor()
    assert.equal(await suggestions.count(), 0)
    await filter.fill('sen')
    await suggestions.waitFor()
    await filter.press('Escape')
    await suggestions.waitFor({ state: 'detached' })
    assert.equal(await filter.inputValue(), 'sen')
  })

  await t.test('learn before sending that nobody can receive the message', async () => {
    await visit('')
    await page.keyboard.press('Control+k')
    await page.keyboard.insertText('send message')
    await page.keyboard.press('Enter')
    const to = page.getByLabel('To (required)')
    await to.and(page.locator(':focus')).waitFor()

    await to.fill('0151 1234')
    await page.getByText('Without + this is the short code 01511234.').waitFor()
    await to.fill('+44 7700 900199')
    await page.getByText('+447700900199 has opted out of all senders.').waitFor()
    await page.getByRole('link', { name: 'Show the opt-out' }).click()
    await page.getByRole('heading', { level: 1, name: '+447700900199' }).waitFor()

    await visit('conversations/+447700900177?address=%2B447700900456')
    await page.getByText('Opted out of SHOP, not of this conversation').waitFor()
    await page.getByRole('button', { name: 'Opt out', exact: true }).waitFor()
    await page.getByLabel('Reply', { exact: true }).fill('By the keys')
    await page.getByLabel('Reply', { exact: true }).press('Control+Enter')
    await page.locator('blockquote').getByText('By the keys').waitFor()
    await visit('conversations/+447700900177?address=SHOP')
    await page.getByText('+447700900177 has opted out of SHOP.').waitFor()
  })

  await t.test('see until when the old secret of a webhook signs', async () => {
    await visit('webhooks/shop')

    await page.getByRole('button', { name: 'Rotate secret' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate secret' }).click()
    await page.getByRole('button', { name: 'I have stored it' }).click()

    await page.getByText(/^The secret was rotated\. The old one also signs until /).waitFor()
    await visit('webhooks/shop')
    await page.getByText(/^The secret was rotated\./).waitFor()
  })

  await t.test('see why a message failed, on what way, and who was notified', async () => {
    await visit('messages/failed')
    const panel = page.getByRole('region', { name: 'Shop' })
    await panel.getByText('Failed · rejected').waitFor()
    await panel.getByRole('link', { name: 'Attempt 1' }).first().click()
    await page.getByText('webhook-id').or(page.getByText('Batch id')).first().waitFor()

    // Only a real network gives codes and reports on the way.
    await page.route('**/v1/messages/failed', async (route) => {
      const response = await route.fetch()
      const message = await response.json()
      const last = message.history.pop()
      const report = { status: 'SENT.ENROUTE', date: last.date, code: '000' }
      const history = [...message.history, report, { ...last, code: '3:11' }]
      await route.fulfill({ response, json: { ...message, networkCode: '3:11', history } })
    })
    await visit('messages/failed')
    await page.getByText(/The network code is 3:11\.$/).waitFor()
    const timeline = page.locator('.timeline')
    await timeline.getByText('Sent · enroute').waitFor()
    await timeline.getByText('Report on the way').waitFor()
    await timeline.getByText('Network code 000').waitFor()
    await timeline.getByText('Network code 3:11').waitFor()
    await page.unroute('**/v1/messages/failed')
  })

  await t.test('see the keys of all accounts, and to which each belongs', async () => {
    await api.keys.put('acme-reader', { account: 'acme', scopes: ['*:read'] })
    await visit('keys')

    await page.getByText('All accounts.').waitFor()
    const row = page.getByRole('row').filter({ has: page.getByLabel('Select acme/acme-reader') })
    await row.getByRole('link', { name: 'acme', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Acme' }).waitFor()

    await visit('contacts')
    await page.getByText('Account account_default.').waitFor()
  })

  await t.test('view another account without changing anything', async () => {
    const { secret } = await api.keys.create({ account: 'acme', scopes: ['*'] })
    const acme = createClient({ baseUrl: service.url, key: secret ?? '' })
    await acme.contacts.put('ada', { name: 'Ada of Acme', address: '+447700900777' })
    await acme.webhooks.put('shop', { name: 'Hook of Acme', url: 'http://127.0.0.1:9/' })
    const { id } = await acme.messages.create({ to: '+447700900777', body: 'Sent by Acme' })
    await visit('accounts/acme')

    await page.getByRole('link', { name: 'Contacts' }).last().click()
    await page.getByText('You view the account acme.').waitFor()
    await page.getByLabel('Select ada').check()
    await page.getByText('1 contact selected').waitFor()
    assert.equal(await page.getByRole('button', { name: /^(Create|Delete|Edit)/ }).count(), 0)
    await page.getByRole('link', { name: 'Ada of Acme' }).click()
    await page.getByRole('heading', { name: 'Ada of Acme' }).waitFor()
    assert.match(page.url(), /account=acme/)
    assert.equal(await page.getByRole('button', { name: /^(Delete|Edit)/ }).count(), 0)

    await page.getByRole('link', { name: 'Webhooks' }).click()
    await page.getByRole('link', { name: 'Hook of Acme' }).click()
    await page.getByRole('heading', { name: 'Hook of Acme' }).waitFor()
    const writes = /^(Delete|Edit|Rotate|Pause|Replay|Send)/
    assert.equal(await page.getByRole('button', { name: writes }).count(), 0)

    await visit(`messages/${id}?account=acme`)
    await page.getByText('Sent by Acme').first().waitFor()
    assert.equal(await page.getByRole('link', { name: 'Send again' }).count(), 0)

    await visit('conversations?account=acme')
    await page.getByRole('link', { name: /Sent by Acme/ }).click()
    await page.locator('blockquote').getByText('Sent by Acme').waitFor()
    assert.equal(await page.getByLabel('Reply', { exact: true }).count(), 0)
    assert.equal(await page.getByText('Your parcel arrives today.').count(), 0)

    await visit('?account=acme')
    await page.getByText('Account acme', { exact: true }).waitFor()
    await page.getByRole('link', { name: 'Leave the account' }).click()
    await page.getByRole('heading', { name: 'Acme' }).waitFor()
    assert.equal(await page.getByText('You view the account').count(), 0)
  })

  await t.test('retry once the service responds again', async () => {
    await page.route('**/v1/openapi.json', (route) => route.abort())
    await page.goto(`${service.url}/console/groups`)
    await page.getByText('Request failed').waitFor()
    await page.unroute('**/v1/openapi.json')
    await page.getByRole('button', { name: 'Retry' }).click()
    await page.getByRole('heading', { level: 1, name: 'Groups' }).waitFor()
    assert.ok(faults.splice(0).every((fault) => /Failed to (load|fetch)/.test(fault)))
  })

  await t.test('move, change the colours and sign out by the command palette', async () => {
    const run = async (command: string): Promise<void> => {
      await page.keyboard.press('Control+k')
      await page.getByRole('dialog', { name: 'Command palette' }).waitFor()
      await page.keyboard.insertText(command)
      await page.keyboard.press('Enter')
    }
    await visit('')

    await run('opt-outs')
    await page.getByRole('heading', { level: 1, name: 'Opt-outs' }).waitFor()
    await page.locator('main:focus').waitFor()
    await run('use dark')
    await page.locator('html[data-theme=dark]').waitFor({ state: 'attached' })
    await page.getByRole('button', { name: 'Colours: dark' }).waitFor()
    await run('sign out')
    await page.getByLabel('API key or one-time code').waitFor()
  })

  assert.deepEqual(faults, [])
})

it('a person can sign in at the provider of the company', { skip: reason ?? false }, async (t) => {
  assert.ok(browser !== null)
  await using issuer = await fakeIssuer()
  const folder = await temporaryFolder(t)
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const grants = [{ claim: 'sub', value: 'ann', account: 'account_default', scopes: ['*:read'] }]
  const oidc = { issuer: issuer.url, ...client, url, grants }
  await writeFile(`${folder}/nuncio.config.json`, JSON.stringify({ oidc }))
  await buildConsole()
  await startService(t, folder, { NUNCIO_PORT: String(port) })
  const context = await browser.newContext({ locale: 'en-GB' })
  const page = await context.newPage()
  // In place of the provider's page, which would ask for a password.
  await page.route('**/v1/sessions/authorization', async (route) => {
    const left = await route.fetch({ maxRedirects: 0 })
    const back = issuer.signIn(left.headers()['location'] ?? '', {
      sub: 'ann',
      email: 'ann@example.com',
      email_verified: true,
    })
    const body = `<script>location.href = ${JSON.stringify(back.href)}</script>`
    await route.fulfill({ contentType: 'text/html', body })
  })

  await page.goto(`${url}/console`)
  await page.getByRole('link', { name: 'Sign in with your company account' }).click()

  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
  await page.getByText('ann@example.com').waitFor()
  assert.equal(new URL(page.url()).hash, '')
  assert.equal(await page.getByRole('link', { name: 'Send message' }).count(), 0)
})

it('a person can add a field to a declared collection', { skip: reason ?? false }, async (t) => {
  assert.ok(browser !== null)
  await buildConsole()
  const folder = await temporaryFolder(t)
  const declare = (further: string): Promise<void> =>
    writeFile(
      `${folder}/nuncio.config.json`,
      `{"collections": [{"name": "books", "noun": "book", "description": "A book.",
        "fields": {"title": {"kind": "text", "required": true}${further}}}]}`,
    )
  await declare('')
  const before = await startService(t, folder)
  const { page, visit, faults } = await openConsole(browser, before)
  await visit('books')

  await page.getByRole('button', { name: 'Add a field' }).first().click()
  const drawer = page.getByRole('dialog')
  await drawer.getByLabel('Name of the field').fill('title')
  await drawer.getByText('The name is taken').waitFor()
  await drawer.getByLabel('Name of the field').fill('pages')
  await drawer.getByLabel('Kind of value').selectOption('integer')
  await drawer.getByText('pages: integer({ nullable: true }),').waitFor()
  await drawer.getByText("import { collection, defineConfig, integer } from 'nuncio'").waitFor()
  assert.deepEqual(await accessibilityFaults(page), [])
  const line = await drawer.getByText('"pages": {').textContent()
  assert.deepEqual(faults, [])

  await before.end('SIGTERM')
  await declare(`, ${line ?? ''}`)
  const after = await startService(t, folder, { NUNCIO_ADMIN_KEY: before.key })
  const opened = await openConsole(browser, { ...after, key: before.key })
  await opened.visit('books')
  await opened.page.getByRole('button', { name: 'Create book' }).first().click()
  await opened.page.getByLabel('Pages').waitFor()
})
