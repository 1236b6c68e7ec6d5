import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { defaultAccount } from '../../src/core/account.ts'
import type { Store, Transaction } from '../../src/core/ports/store.ts'
import { contacts } from '../../src/collections/contacts.ts'
import { groupContacts } from '../../src/collections/groups.ts'
import { startBroadcasts } from '../gateway/support/broadcast-api.ts'

const hello = { to: { addresses: ['+4915112345671'] }, body: 'hello' }
const dryRun = { headers: { prefer: 'handling=dry-run' } }

describe('POST /v1/broadcasts', () => {
  const refused: readonly (readonly [string, object, RegExp])[] = [
    ['/to', { to: {} }, /must have addresses, contacts or a group/],
    ['/to', { to: undefined }, /is required/],
    ['/to/addresses/1', { to: { addresses: ['+4915112345671', 'Ada'] } }, /telephone number/],
    ['/to/contacts/0', { to: { contacts: ['nobody'] } }, /no such contact/],
    ['/to/group', { to: { group: 'none' } }, /no such group/],
    ['/to/phone', { to: { phone: '1' } }, /is not a field/],
    [
      '/body',
      { body: 'Dear {{nme}}' },
      /at character 6 \{\{nme\}\}: a placeholder is name, address/,
    ],
    ['/body', { body: 'Dear {{name' }, /nothing closes/],
    ['/body', { body: 'x'.repeat(1600) + '{{name}}' }, /takes 11 parts, and at most 10/],
    ['/body', { body: '猫 {{name}}', encoding: 'TEXT' }, /which TEXT .* does not have/],
    ['/body', { body: '{{name}}', encoding: 'BINARY' }, /octets in hexadecimal/],
    ['/carrier', { carrier: 'none' }, /must be an existing carrier/],
    ['/scheduledAt', { scheduledAt: '2020-01-01T00:00:00Z' }, /must be in the future/],
    ['/validUntil', { validUntil: '2020-01-01T00:00:00Z' }, /must be in the future/],
    ['/priority', { priority: 4 }, /at most 3/],
  ]
  for (const [pointer, fields, detail] of refused) {
    it(`refuses ${JSON.stringify(fields).slice(0, 60)}`, async (t) => {
      const api = await startBroadcasts(t, 'memory')

      const { status, json } = await api.post('/v1/broadcasts', { ...hello, ...fields })

      assert.equal(status, 400)
      const found = json.errors.map((error: { pointer: string }) => error.pointer)
      assert.deepEqual(found, [pointer])
      assert.match(json.errors[0].detail, detail)
      assert.deepEqual((await api.get('/v1/broadcasts')).json, [])
    })
  }

  it('takes no more than 10,000 of a list', async (t) => {
    const api = await startBroadcasts(t, 'memory')
    const addresses = Array.from({ length: 10_001 }, (_, at) => `+49151${String(at + 1000000)}`)

    const { json } = await api.post('/v1/broadcasts', { ...hello, to: { addresses } })

    assert.match(json.errors[0].detail, /must have at most 10000 items/)
  })

  it('names all that is wrong at once', async (t) => {
    const api = await startBroadcasts(t, 'memory')

    const { json } = await api.post('/v1/broadcasts', { to: {}, body: '{{x}}', priority: 9 })

    const pointers = json.errors.map(({ pointer }: { pointer: string }) => pointer)
    assert.deepEqual(pointers.toSorted(), ['/body', '/priority', '/to'])
  })

  it('refuses the number of another account', async (t) => {
    const api = await startBroadcasts(t, 'memory')
    const key = await api.newAccount('theirs')
    await api.post('/v1/numbers', { address: '+4915100000001', account: 'theirs' })

    const from = { ...hello, from: '+4915100000001' }
    const ours = await api.post('/v1/broadcasts', from)
    const theirs = await api.post('/v1/broadcasts', from, { key })

    assert.deepEqual([ours.status, theirs.status], [403, 201])
  })

  it('tells in a dry run how many messages and credits it takes, and makes nothing', async (t) => {
    const api = await startBroadcasts(t, 'memory')
    await api.group('friends', 3, (at) => (at === 2 ? { name: null } : {}))
    await api.post('/v1/optOuts', { address: '+491510000001' })
    await api.post('/v1/prices', { prefix: '+49', creditsPerPart: 0.075 })

    const body = `Dear {{name}}, ${'x'.repeat(200)}`
    const { status, json } = await api.post(
      '/v1/broadcasts',
      { to: { group: 'friends', addresses: ['+491510000000'] }, body },
      dryRun,
    )
    await api.clock.advance(1000)

    assert.equal(status, 200)
    assert.deepEqual(json.estimate, {
      recipients: 4,
      messages: 1,
      parts: 2,
      creditCost: 0.15,
      exact: true,
      skipped: [
        { reason: 'missingValue', recipients: 2, addresses: ['+491510000000', '+491510000002'] },
        { reason: 'optedOut', recipients: 1, addresses: ['+491510000001'] },
      ],
    })
    assert.deepEqual((await api.get('/v1/broadcasts')).json, [])
    assert.deepEqual((await api.get('/v1/messages')).json, [])
  })

  it('estimates by the first 500 where there are many', async (t) => {
    const api = await startBroadcasts(t, 'memory')
    const addresses = Array.from({ length: 2000 }, (_, at) => `+49151${String(at + 1000000)}`)

    const { json } = await api.post('/v1/broadcasts', { ...hello, to: { addresses } }, dryRun)

    assert.deepEqual(json.estimate, {
      recipients: 2000,
      messages: 2000,
      parts: 2000,
      creditCost: 2000,
      exact: false,
      skipped: [],
    })
  })
})

describe('A broadcast whose bodies are long', () => {
  const addresses = Array.from({ length: 100 }, (_, at) => `+49151${String(at + 1000000)}`)
  const long = { to: { addresses }, body: 'x{{address}}'.repeat(2000), maxParts: 255 }

  it('is estimated by as many as take 150,000 characters', async (t) => {
    const api = await startBroadcasts(t, 'memory')

    const { json } = await api.post('/v1/broadcasts', long, dryRun)

    assert.deepEqual(json.estimate, {
      recipients: 100,
      messages: 100,
      parts: 100 * 184,
      creditCost: 100 * 184,
      exact: false,
      skipped: [],
    })
  })

  it('reaches all recipients', async (t) => {
    const api = await startBroadcasts(t, 'memory')

    await api.put('/v1/broadcasts/long', { ...long, to: { addresses: addresses.slice(0, 8) } })
    await api.until('long', ({ state }) => state === 'DONE')

    assert.equal((await api.read('long')).recipients.messages, 8)
  })
})

describe('PUT /v1/broadcasts/{id}', () => {
  it('repeated, sends once, whatever became of it meanwhile', async (t) => {
    const api = await startBroadcasts(t, 'memory')

    const first = await api.put('/v1/broadcasts/spring', hello)
    await api.until('spring', ({ state }) => state === 'DONE')
    const again = await api.put('/v1/broadcasts/spring', hello)
    const read = await api.read('spring')
    const whole = await api.put('/v1/broadcasts/spring', read)
    const other = await api.put('/v1/broadcasts/spring', { ...hello, body: 'other' })

    assert.deepEqual([first.status, again.status, whole.status, other.status], [200, 200, 200, 409])
    assert.equal(again.json.state, 'DONE')
    assert.equal((await api.patch('/v1/broadcasts/spring', { state: 'DONE' })).status, 200)
    assert.equal((await api.messagesOf('spring')).length, 1)
  })
})

describe('PATCH /v1/broadcasts/{id}', () => {
  it('takes no state but those that can be asked for', async (t) => {
    const api = await startBroadcasts(t, 'memory')
    const scheduledAt = '2026-01-01T01:00:00Z'
    await api.put('/v1/broadcasts/spring', { ...hello, scheduledAt })
    const patch = async (body: object) => (await api.patch('/v1/broadcasts/spring', body)).status

    assert.equal(await patch({ state: 'DONE' }), 400)
    assert.equal(await patch({ state: 7 }), 400)
    assert.equal(await patch({ state: 'RUNNING' }), 409)
    assert.equal(await patch({ state: 'PAUSED' }), 409)
    assert.equal(await patch({ state: 'CANCELLED', body: 'other' }), 409)
    assert.equal(await patch({ state: 'SCHEDULED', name: 'Spring' }), 200)
    assert.equal(await patch({ state: 'CANCELLED' }), 200)
    await api.clock.advance(7_200_000)
    assert.deepEqual(await api.messagesOf('spring'), [])
    assert.equal((await api.read('spring')).state, 'CANCELLED')
  })

  it('is refused where nothing is left to cancel', async (t) => {
    const api = await startBroadcasts(t, 'memory')
    await api.put('/v1/broadcasts/spring', hello)
    await api.until('spring', ({ messageCounts }) => messageCounts.delivered === 1)

    const { status, json } = await api.patch('/v1/broadcasts/spring', { state: 'CANCELLED' })

    assert.equal(status, 409)
    assert.match(json.detail, /none of its messages waits/)
  })
})

describe('DELETE /v1/broadcasts/{id}', () => {
  it('ends it, and leaves its messages', async (t) => {
    const api = await startBroadcasts(t, 'memory')
    await api.put('/v1/broadcasts/done', hello)
    await api.until('done', ({ messageCounts }) => messageCounts.delivered === 1)
    await api.put('/v1/broadcasts/early', { ...hello, scheduledAt: '2026-01-01T01:00:00Z' })

    const removed = [
      (await api.delete('/v1/broadcasts/done')).status,
      (await api.delete('/v1/broadcasts/early')).status,
    ]
    await api.clock.advance(7_200_000)
    await api.put('/v1/broadcasts/done', { ...hello, scheduledAt: '2026-01-01T03:00:00Z' })

    assert.deepEqual(removed, [204, 204])
    assert.equal((await api.get('/v1/messages')).json.length, 1)
    assert.deepEqual(await api.messagesOf('done'), [])
    assert.equal((await api.read('done')).messageCounts.delivered, 0)
  })
})

describe('a broadcast that cannot go on', () => {
  it('ends when its messages would be too late', async (t) => {
    const api = await startBroadcasts(t, 'memory')
    const validUntil = '2026-01-01T01:00:00Z'
    await api.put('/v1/broadcasts/spring', { ...hello, validUntil, scheduledAt: null })
    const before = await api.read('spring')
    const late = { ...hello, validUntil, scheduledAt: '2026-01-01T00:59:59Z' }
    await api.put('/v1/broadcasts/late', late)
    api.clock.jump(7_200_000)
    await api.clock.advance(7_200_000)

    const { state, stateReason, recipients } = await api.read('late')

    assert.equal(before.state, 'RUNNING')
    assert.deepEqual([state, stateReason, recipients.seen], ['DONE', 'EXPIRED', 0])
  })

  it('says that its group is gone', async (t) => {
    const api = await startBroadcasts(t, 'memory')
    await api.group('friends', 2)
    const scheduledAt = '2026-01-01T01:00:00Z'
    await api.put('/v1/broadcasts/spring', { to: { group: 'friends' }, body: 'a', scheduledAt })
    await api.delete('/v1/groups/friends')
    await api.clock.advance(7_200_000)

    const { state, stateReason, recipients } = await api.read('spring')

    assert.deepEqual([state, stateReason, recipients.seen], ['DONE', 'GROUP_GONE', 0])
  })

  it('is paused when its sender becomes another account’s, and goes on when it is ours again', async (t) => {
    const api = await startBroadcasts(t, 'memory')
    const scheduledAt = '2026-01-01T01:00:00Z'
    const from = '+4915100000001'
    await api.put('/v1/broadcasts/spring', { ...hello, from, scheduledAt })
    await api.newAccount('theirs')
    const { json } = await api.post('/v1/numbers', { address: from, account: 'theirs' })
    await api.clock.advance(7_200_000)
    const paused = await api.read('spring')

    await api.delete(`/v1/numbers/${json.id}`)
    const goes = await api.patch('/v1/broadcasts/spring', { state: 'RUNNING' })
    const done = await api.until('spring', ({ state }) => state === 'DONE')

    assert.deepEqual([paused.state, paused.stateReason], ['PAUSED', 'SENDER_REFUSED'])
    assert.deepEqual([goes.json.state, goes.json.stateReason], ['RUNNING', null])
    assert.equal(done.recipients.messages, 1)
  })

  it('is paused when the credits are used up, to the last of them, and goes on with more', async (t) => {
    const api = await startBroadcasts(t, 'memory')
    const key = await api.newAccount('acme')
    const as = { key }
    await api.patch('/v1/accounts/acme', { creditBalance: 0 })
    const topUp = (amount: number) => api.post('/v1/accounts/acme/creditMovements', { amount })
    const balance = async () => (await api.get('/v1/accounts/acme')).json.creditBalance
    await topUp(3)
    const addresses = Array.from({ length: 5 }, (_, at) => `+491511234567${at}`)
    const read = async () => (await api.get('/v1/broadcasts/spring', as)).json

    await api.put('/v1/broadcasts/spring', { to: { addresses }, body: 'hello' }, as)
    await api.clock.advance(1000)
    const paused = await read()
    const empty = await balance()
    await topUp(10)
    await api.patch('/v1/broadcasts/spring', { state: 'RUNNING' }, as)
    await api.clock.advance(1000)
    const done = await read()

    assert.deepEqual([paused.state, paused.stateReason], ['PAUSED', 'INSUFFICIENT_CREDITS'])
    assert.deepEqual([paused.recipients.seen, paused.recipients.messages, empty], [3, 3, 0])
    assert.deepEqual([done.state, done.recipients.messages, done.creditCost], ['DONE', 5, 5])
    assert.equal(await balance(), 8)
    const sent = (await api.get('/v1/broadcasts/spring/messages?sort=id_asc', as)).json
    assert.deepEqual(
      sent.map(({ to }: { to: string }) => to),
      addresses,
    )
  })

  it('gives back what its cancelled messages had reserved', async (t) => {
    const api = await startBroadcasts(t, 'memory')
    const { json } = await api.post('/v1/carriers', { type: 'SIMULATOR', active: false })
    const key = await api.newAccount('acme')
    await api.patch('/v1/accounts/acme', { creditBalance: 0 })
    await api.post('/v1/accounts/acme/creditMovements', { amount: 3 })
    const body = { ...hello, to: { addresses: ['+4915112345671', '+4915112345672'] } }

    await api.put('/v1/broadcasts/spring', { ...body, carrier: json.id }, { key })
    await api.clock.advance(1000)
    const reserved = (await api.get('/v1/accounts/acme')).json.creditBalance
    await api.patch('/v1/broadcasts/spring', { state: 'CANCELLED' }, { key })
    await api.clock.advance(3000)

    assert.equal(reserved, 1)
    assert.equal((await api.get('/v1/accounts/acme')).json.creditBalance, 3)
  })

  it('reaches who joins its group in time, and not who leaves it', async (t) => {
    const api = await startBroadcasts(t, 'memory')
    await api.group('friends', 120)
    const changes = betweenSlices(api.store, async (tx) => {
      const writer = tx.in(defaultAccount)
      await writer.remove(groupContacts, { id: 'friends-0110', parent: 'friends' })
      for (const id of ['a-first', 'z-last']) {
        const address = id === 'a-first' ? '+4915122222221' : '+4915122222222'
        const contact = { id, name: id, address, tags: [], attributes: {} }
        await writer.save(contacts, { id }, contact, null)
        await writer.save(groupContacts, { id, parent: 'friends' }, { id, contact: id }, null)
      }
    })
    await api.put('/v1/broadcasts/spring', { to: { group: 'friends' }, body: '{{name}}' })
    await api.until('spring', ({ state }) => state === 'DONE')
    await changes

    const bodies = new Set((await api.messagesOf('spring')).map(({ body }) => body))
    assert.equal(bodies.size, 120)
    assert.deepEqual(
      [bodies.has('No 110'), bodies.has('a-first'), bodies.has('z-last')],
      [false, false, true],
    )
  })
})

/** Does something just after the first slice of a broadcast, before the next one. */
function betweenSlices(store: Store, work: (tx: Transaction) => Promise<void>): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = store.onCommit(({ changed }) => {
      if (!changed.has('broadcasts/messages')) return
      stop()
      store.transact(work).then(resolve, reject)
    })
  })
}
