import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { noPostgres, testDatabase } from '../../support/postgres/database.ts'
import type { Service } from '../../support/service.ts'
import { headers, pause, startFleet, startReceiver, type Fleet } from '../support/fleet.ts'
import { startMessageCentre } from '../smpp/support.ts'

const total = Number(process.env['CHAOS_SMPP_MESSAGES'] ?? 0) >= 10_000 ? 2000 : 240
const [window, partsPerSecond] = [20, 150]

const every = 'api,submit,deliver'

async function put(node: Service | null, path: string, body: object): Promise<void> {
  const request = { method: 'PUT', headers, body: JSON.stringify(body) }
  for (;;) {
    const answer = await fetch(`${node?.url}/v1/${path}`, request)
    const text = await answer.text()
    if (answer.status === 200) return
    // It has more to do than it can, just after the other was killed.
    assert.equal(answer.status, 503, text)
    await pause(200)
  }
}

/** Puts messages to a node, 16 at a time. */
async function putAll(node: Service | null, first: number, end: number): Promise<void> {
  let next = first
  const client = async (): Promise<void> => {
    for (let number = next++; number < end; number = next++) {
      await put(node, `messages/m${number}`, { to: '+4915112345678', body: `number ${number}` })
    }
  }
  await Promise.all(Array.from({ length: 16 }, client))
}

async function bindsOf(node: Service | null): Promise<number> {
  const text = await (await fetch(`${node?.url}/metrics`)).text()
  return Number(/^nuncio_carrier_binds\{carrier="smsc"\} (\d+)$/m.exec(text)?.[1] ?? 0)
}

async function until(what: string, waitMs: number, holds: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + waitMs
  while (!(await holds())) {
    assert.ok(performance.now() < end, `it never came to this: ${what}`)
    await pause(100)
  }
}

async function allBinds(fleet: Fleet): Promise<string> {
  const binds = await Promise.all([0, 1].map((place) => fleet.at(place)).map(bindsOf))
  return binds.join()
}

describe('two nodes with one message centre', { skip: await noPostgres() }, () => {
  it('share its binds, window and rate; one takes over what the other had', async (t) => {
    const centre = await startMessageCentre(t, 20)
    const receiver = await startReceiver(t)
    await using database = await testDatabase()
    const fleet = await startFleet(t, database.url, [every, every])
    const settings = { host: '127.0.0.1', port: centre.port, systemId: 'nuncio', binds: 2 }
    await put(fleet.at(0), 'carriers/smsc', {
      type: 'SMPP',
      routes: [{ prefix: '+' }],
      settings: { ...settings, window, partsPerSecond },
    })
    await put(fleet.at(0), 'webhooks/w0', { url: `${receiver.url}/w0`, statuses: ['DELIVERED'] })
    const told = (): number => receiver.told.get('/w0')?.size ?? 0

    await until('each has a bind', 30_000, async () => (await allBinds(fleet)) === '1,1')
    const sending = putAll(fleet.at(1), 0, total / 2)
    await until('the first are delivered', 30_000, async () => told() > 0)
    await fleet.end(0, 'SIGKILL')
    await until('one has both', 30_000, async () => (await bindsOf(fleet.at(1))) === 2)
    await Promise.all([sending, putAll(fleet.at(1), total / 2, total)])
    await until('all are delivered', 60_000, async () => told() === total)

    const tally = await centre.tally()
    const copies = Object.values(tally.submitted).reduce((sum, times) => sum + times - 1, 0)
    t.diagnostic(`${copies} of ${total} twice, at most ${tally.perSecondMax} a second`)
    assert.equal(Object.keys(tally.submitted).length, total)
    assert.ok(tally.inFlightMax <= 2 * window, `${tally.inFlightMax} were in flight`)
    // A tenth of a second's worth may go at once, on each of the nodes.
    assert.ok(tally.perSecondMax <= partsPerSecond * 1.25, `${tally.perSecondMax} in a second`)
    assert.ok(copies <= 2 * window, `${copies} copies`)
    assert.ok(tally.elsewhere > 0)
    assert.equal(tally.open, 2)
    await fleet.end(1, 'SIGTERM')
    await until('all is unbound', 10_000, async () => (await centre.tally()).open === 0)
  })
})
