import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { startService, temporaryFolder, type Service } from '../../support/service.ts'
import { pause, startReceiver } from '../support/fleet.ts'
import { startMessageCentre } from '../smpp/support.ts'
import type { Tally } from '../smpp/message-centre.ts'

/** How many messages; `npm run chaos:smpp` takes 20,000. */
const total = Number(process.env['CHAOS_SMPP_MESSAGES'] ?? 600)
const isLong = total >= 10_000
const kills = isLong ? 3 : 2
const window = 100

const key = 'nuncio_for_the_test_of_kills_over_smpp'
const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
const settings = { NUNCIO_ADMIN_KEY: key, NUNCIO_RETRY_SCHEDULE: '1', NUNCIO_LOG: 'error' }

/** The service as it is just now: it is killed and started again while others use it. */
interface Present {
  service: Service
}

async function put(present: Present, path: string, body: object): Promise<void> {
  for (;;) {
    const url = `${present.service.url}/v1/${path}`
    const request = { method: 'PUT', headers, body: JSON.stringify(body) }
    // Nobody answers while it is killed: a PUT can be repeated.
    const status = await fetch(url, request).then(
      async (answer) => {
        await answer.arrayBuffer()
        return answer.status
      },
      () => 0,
    )
    if (status === 200) return
    await pause(20)
  }
}

/** Puts all messages from as many clients as the window is wide; each says its number. */
async function putAll(present: Present): Promise<void> {
  let next = 0
  const client = async (): Promise<void> => {
    for (let number = next++; number < total; number = next++) {
      await put(present, `messages/m${number}`, { to: '+4915112345678', body: `number ${number}` })
    }
  }
  await Promise.all(Array.from({ length: window }, client))
}

const countOf = ({ submitted }: Tally): number => Object.keys(submitted).length

/** A metric of the service, added up over its series. */
async function metric({ url }: Service, name: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`, { headers })).text()
  const values = text.matchAll(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, 'gm'))
  return [...values].reduce((sum, [, value]) => sum + Number(value), 0)
}

async function until(holds: () => Promise<boolean>, waitMs: number): Promise<boolean> {
  const end = performance.now() + waitMs
  while (!(await holds())) {
    if (performance.now() > end) return false
    await pause(50)
  }
  return true
}

async function undelivered({ url }: Service): Promise<readonly unknown[]> {
  const query = 'status.type_ne=DELIVERED&pageSize=1000&fields=id,status'
  return JSON.parse(await (await fetch(`${url}/v1/messages?${query}`, { headers })).text())
}

/** Kills the process in the midst of it, as often, each time a little later. */
async function killAgain(
  t: TestContext,
  folder: string,
  present: Present,
  submitted: () => Promise<number>,
): Promise<void> {
  for (let kill = 1; kill <= kills; kill += 1) {
    await until(async () => (await submitted()) >= (total * kill) / (kills + 1), 120_000)
    await present.service.end('SIGKILL')
    present.service = await startService(t, folder, settings)
  }
}

describe(`The process, killed ${kills} times in the midst of ${total} messages over SMPP`, () => {
  it('loses none, sends few twice, and matches the receipts', { timeout: 600_000 }, async (t) => {
    const centre = await startMessageCentre(t)
    const receiver = await startReceiver(t)
    const folder = await temporaryFolder(t)
    const present: Present = { service: await startService(t, folder, settings) }
    const link = { host: '127.0.0.1', port: centre.port, systemId: 'nuncio', window }
    await put(present, 'carriers/smsc', { type: 'SMPP', routes: [{ prefix: '+' }], settings: link })
    await put(present, 'webhooks/w0', { url: `${receiver.url}/w0`, statuses: ['DELIVERED'] })

    const submitted = async (): Promise<number> => countOf(await centre.tally())
    await Promise.all([putAll(present), killAgain(t, folder, present, submitted)])
    const told = (): number => receiver.told.get('/w0')?.size ?? 0
    const isNotified = await until(async () => told() === total, 120_000)
    const isReceipted = await until(async () => (await centre.tally()).unreceipted === 0, 30_000)
    const tally = await centre.tally()

    const copies = Object.values(tally.submitted).reduce((sum, times) => sum + times - 1, 0)
    const unmatched = await metric(present.service, 'nuncio_receipts_unmatched')
    t.diagnostic(
      `${countOf(tally)} of ${total} at the message centre over ${tally.binds} binds, ${copies} twice ` +
        `(${((100 * copies) / total).toFixed(2)} %), ${tally.receipted} receipts, of which ${unmatched} ` +
        `are of copies whose answer was never read; ${told()} notified`,
    )
    assert.equal(countOf(tally), total)
    assert.ok(isNotified && isReceipted)
    assert.deepEqual(await undelivered(present.service), [])
    assert.ok(tally.inFlightMax <= window, `${tally.inFlightMax} were in flight`)
    // So many may be with a carrier at once, answered ones that are being written down included.
    assert.ok(copies <= kills * 2 * window, `${copies} were sent twice`)
    assert.ok(unmatched <= copies, `${unmatched} receipts are unmatched`)
    if (isLong) assert.ok(copies < total / 100, `${copies} were sent twice`)
    assert.equal(await present.service.end('SIGTERM'), 0)
  })
})
