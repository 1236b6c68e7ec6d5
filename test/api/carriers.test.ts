import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { describe, it } from 'node:test'
import type { CarrierType } from '../../src/core/ports/carrier.ts'
import type { JsonObject } from '../../src/core/json.ts'
import { integer, text } from '../../src/core/declaration/field.ts'
import { standardOffer } from '../../src/wiring/wire.ts'
import { fakeCarrier, type FakeCarrier } from '../gateway/support/fake-carrier.ts'
import { startApi, type TestApi } from '../support/api.ts'
import { settle } from '../support/virtual-clock.ts'
import { startOver, storeKinds } from './support/over-stores.ts'

/** Waits until a carrier shows this state: a node hears of a change after its answer, over a server later. */
async function becomes(api: TestApi, id: string, expected: string): Promise<void> {
  let state: unknown
  for (let round = 0; round < 100; round += 1) {
    state = (await api.get(`/v1/carriers/${id}`)).json.state
    if (state === expected) return
    await api.clock.advance(10)
  }
  assert.fail(`the carrier ${id} stayed ${String(state)}, and did not become ${expected}`)
}

for (const kind of storeKinds) {
  describe(`A carrier (${kind})`, () => {
    it('is there from the first start: the simulator', async (t) => {
      const api = await startOver(t, kind)

      const { status, json } = await api.get('/v1/carriers/carrier_simulator')

      assert.equal(status, 200)
      assert.deepEqual(
        [json.type, json.active, json.state, json.stateReason],
        ['SIMULATOR', true, 'BOUND', null],
      )
    })

    it('is an administrator’s alone', async (t) => {
      const api = await startOver(t, kind)
      const key = await api.newAccount('acme')

      const { status } = await api.get('/v1/carriers', { key })

      assert.equal(status, 403)
    })

    it('opens when it is made, and closes when it is deactivated or deleted', async (t) => {
      const api = await startOver(t, kind)

      await api.put('/v1/carriers/second', { type: 'SIMULATOR' })
      await becomes(api, 'second', 'BOUND')
      await api.patch('/v1/carriers/second', { active: false })
      await becomes(api, 'second', 'STOPPED')
      const deleted = await api.delete('/v1/carriers/second')

      assert.equal(deleted.status, 204)
    })

    it('is about to connect, not stopped, in the answer that makes it', async (t) => {
      const api = await startOver(t, kind)

      const made = await api.put('/v1/carriers/second', { type: 'SIMULATOR' })
      const idle = await api.put('/v1/carriers/third', { type: 'SIMULATOR', active: false })

      assert.deepEqual(
        [made.json.state, made.json.stateReason],
        ['CONNECTING', 'This node has not opened it.'],
      )
      assert.deepEqual([idle.json.state, idle.json.stateReason], ['STOPPED', 'It is not active.'])
    })

    it('shows how many messages wait for it, and since when', async (t) => {
      const api = await startOver(t, kind)
      await api.put('/v1/carriers/second', { type: 'SIMULATOR', active: false })
      const message = { to: '+4915112345678', body: 'hello', carrier: 'second' }
      const { json: first } = await api.post('/v1/messages', message)
      await api.clock.advance(2000)
      await api.post('/v1/messages', message)

      let waiting: unknown
      for (let round = 0; round < 100 && waiting !== 2; round += 1) {
        await api.clock.advance(100)
        waiting = (await api.get('/v1/carriers/second')).json.waitingMessages
      }
      const { json } = await api.get('/v1/carriers?fields=waitingMessages,waitingSince')

      assert.deepEqual(json, [
        { id: 'carrier_simulator', waitingMessages: 0, waitingSince: null },
        { id: 'second', waitingMessages: 2, waitingSince: first.createdAt },
      ])
    })

    it('delivers what names it', async (t) => {
      const api = await startOver(t, kind)
      await api.put('/v1/carriers/second', { type: 'SIMULATOR', settings: { delayMs: 5 } })
      await becomes(api, 'second', 'BOUND')

      const { json } = await api.post('/v1/messages', {
        to: '+4915112345678',
        body: 'hello',
        carrier: 'second',
      })
      const read = async () => (await api.get(`/v1/messages/${json.id}`)).json
      for (let round = 0; round < 100; round += 1) {
        await api.clock.advance(50)
        if ((await read()).status.type === 'DELIVERED') break
      }

      const { json: after } = await api.get(`/v1/messages/${json.id}`)
      assert.deepEqual([after.status.id, after.carrier], ['DELIVERED.null', 'second'])
    })

    it('stays while a number names it, and the simulator always', async (t) => {
      const api = await startOver(t, kind)
      await api.put('/v1/carriers/second', { type: 'SIMULATOR' })
      await api.put('/v1/numbers/one', { address: '12345', carrier: 'second' })

      const named = await api.delete('/v1/carriers/second')
      const simulator = await api.delete('/v1/carriers/carrier_simulator')

      assert.deepEqual([named.status, simulator.status], [409, 409])
      assert.match(named.json.detail, /number "one"/)
    })

    it('keeps its type, and names what is wrong with its routes and settings', async (t) => {
      const api = await startOver(t, kind)
      const path = '/v1/carriers/carrier_simulator'

      const type = await api.patch(path, { type: 'SMPP' })
      const wrong = await api.patch(path, {
        routes: [{ prefix: '+49' }, { prefix: '+49' }],
        settings: { delayMs: -1, dleay: 3 },
      })
      const unknown = await api.post('/v1/messages', { to: '12345', body: 'x', carrier: 'none' })

      assert.deepEqual([type.status, wrong.status, unknown.status], [409, 400, 400])
      assert.deepEqual(
        wrong.json.errors.map(({ pointer }: { pointer: string }) => pointer),
        ['/settings/delayMs', '/settings/dleay', '/routes/1/prefix'],
      )
    })
  })
}

describe('The settings of a carrier', () => {
  it('show no secret, keep it where it is not given, and open the carrier with it', async (t) => {
    const { opened, offer } = offerWithFake()
    const api = await startApi(t, { offer })

    const made = await api.put('/v1/carriers/c1', {
      type: 'SMPP',
      settings: { host: 'smsc.example', password: 'hush' },
    })
    await settle()
    const patched = await api.patch('/v1/carriers/c1', { settings: { port: 2776 } })
    await settle()
    const replaced = await api.put('/v1/carriers/c1', patched.json)
    const missing = await api.post('/v1/carriers', { type: 'SMPP', settings: { host: 'x' } })

    assert.deepEqual(made.json.settings, { host: 'smsc.example', port: 2775 })
    assert.deepEqual(replaced.json.settings, { host: 'smsc.example', port: 2776 })
    assert.deepEqual(missing.json.errors, [
      { pointer: '/settings/password', detail: 'is required' },
    ])
    assert.deepEqual(
      opened.map(({ settings }) => settings),
      [
        { host: 'smsc.example', port: 2775, password: 'hush' },
        { host: 'smsc.example', port: 2776, password: 'hush' },
      ],
    )
  })

  it('of every type are taken back as they were read, and changed in part', async (t) => {
    const api = await startApi(t)
    const example = async (name: string): Promise<string> => {
      const file = new URL(`../../providers/${name}.json`, import.meta.url)
      // In the configuration file such a value is taken from the environment.
      return (await readFile(file, 'utf8')).replaceAll(
        /\{ "env": "\w+" \}/g,
        '"https://us.example"',
      )
    }
    const smpp = { host: '127.0.0.1', port: 9, systemId: 'us', password: 'hush' }
    const made: Readonly<Record<string, JsonObject>> = {
      smpp: { type: 'SMPP', settings: smpp, active: false },
      simulator: { type: 'SIMULATOR' },
      twilio: { ...JSON.parse(await example('twilio')), about: undefined, active: false },
      infobip: { ...JSON.parse(await example('infobip')), about: undefined, active: false },
    }

    for (const [id, body] of Object.entries(made)) {
      const path = `/v1/carriers/${id}`
      const first = await api.put(path, body)
      const patched = await api.patch(path, { name: 'renamed' })
      const changed = await api.patch(path, { settings: {} })
      const replaced = await api.put(path, (await api.get(path)).json)

      const statuses = [first, patched, changed, replaced].map(({ status }) => status)
      assert.deepEqual([id, ...statuses], [id, 200, 200, 200, 200])
      assert.deepEqual(replaced.json.settings, first.json.settings)
    }
  })

  it('may be null where they are shown as null, and nowhere else', async (t) => {
    const api = await startApi(t)
    const smpp = { host: '127.0.0.1', port: 9, systemId: 'us', password: 'hush', tlvs: null }
    const put = (settings: JsonObject) =>
      api.put('/v1/carriers/c1', { type: 'SMPP', settings, active: false })

    const { status, json } = await put(smpp)
    const refused = await put({ ...smpp, port: null })

    assert.deepEqual([status, json.settings.tlvs, json.settings.statuses], [200, null, null])
    assert.deepEqual(refused.json.errors, [
      { pointer: '/settings/port', detail: 'must not be null' },
    ])
  })

  it('change without a message being lost: the carrier finishes what it has first', async (t) => {
    const { opened, offer } = offerWithFake()
    const api = await startApi(t, { offer })
    await api.put('/v1/carriers/c1', { type: 'SMPP', settings: { host: 'a', password: 'x' } })
    await settle()
    const { json } = await api.post('/v1/messages', { to: '12345', body: 'x', carrier: 'c1' })
    await settle(10)

    await api.patch('/v1/carriers/c1', { settings: { host: 'b' } })
    await settle(10)
    const whileBusy = opened.length
    opened[0]?.carrier.answer()
    // What became of a message waits a moment for its receipts.
    await api.clock.advance(10)

    assert.deepEqual([whileBusy, opened.length], [1, 2])
    assert.equal((await api.get(`/v1/messages/${json.id}`)).json.status.type, 'SENT')
  })
})

/** An offer with a kind of carrier that leaves every message to the test. */
function offerWithFake() {
  const opened: { readonly settings: JsonObject; readonly carrier: FakeCarrier }[] = []
  const type: CarrierType = {
    type: 'SMPP',
    settings: {
      host: text({ required: true }),
      port: integer({ default: 2775 }),
      password: text({ required: true, writeOnly: true }),
    },
    open: (id, settings) => {
      const carrier = fakeCarrier(() => null, id)
      opened.push({ settings, carrier })
      return carrier
    },
  }
  return { opened, offer: { ...standardOffer, carrierTypes: [type] } }
}
