import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { describe, it, type TestContext } from 'node:test'
import { startService, temporaryFolder, type Service } from '../support/service.ts'

/** Few in the tests; `npm run chaos` plays more. */
const rounds = Number(process.env['CHAOS_ROUNDS'] ?? 3)
const atOnce = 16
const settings = {
  NUNCIO_ADMIN_KEY: 'nuncio_for_the_test_of_many_kills_in_a_row',
  NUNCIO_SIMULATOR_DELAY_MS: '20',
  NUNCIO_RETRY_SCHEDULE: '1',
}
const headers = {
  authorization: `Bearer ${settings.NUNCIO_ADMIN_KEY}`,
  'content-type': 'application/json',
}
const order = ['ACCEPTED', 'SENT', 'DELIVERED']

/** What a receiver was told of each message: it may be down, and is not killed. */
async function startReceiver(t: TestContext) {
  const told = new Map<string, string[]>()
  const receiver = { url: '', isDown: false, told }
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      if (receiver.isDown) return void response.writeHead(503).end()
      const text = Buffer.concat(chunks).toString()
      const records: { id: string; status: { type: string } }[] = JSON.parse(text)
      for (const { id, status } of records) told.set(id, [...(told.get(id) ?? []), status.type])
      response.writeHead(204).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  receiver.url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/hook`
  return receiver
}

/** Sends until the service is gone; notes each message that was answered 201. */
async function load({ url }: Service, accepted: Set<string>): Promise<void> {
  const one = async (): Promise<void> => {
    for (;;) {
      const body = JSON.stringify({ to: '+4915112345678', body: 'hello' })
      try {
        const answer = await fetch(`${url}/v1/messages`, { method: 'POST', headers, body })
        const { id } = (await answer.json()) as { id: string }
        if (answer.status === 201) accepted.add(id)
      } catch {
        return
      }
    }
  }
  await Promise.all(Array.from({ length: atOnce }, one))
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

describe(`The process, killed ${rounds} times under load, its receiver down every other time`, () => {
  it('loses nothing that it answered 201, and keeps the order', { timeout: 600_000 }, async (t) => {
    const receiver = await startReceiver(t)
    const folder = await temporaryFolder(t)
    const accepted = new Set<string>()
    for (let round = 0; round < rounds; round += 1) {
      receiver.isDown = round % 2 === 1
      const service = await startService(t, folder, settings)
      const webhook = JSON.stringify({ url: receiver.url, statuses: order })
      await fetch(`${service.url}/v1/webhooks/w`, { method: 'PUT', headers, body: webhook })
      const loading = load(service, accepted)
      await pause(200 + Math.random() * 800)
      await service.end('SIGKILL')
      await loading
    }

    receiver.isDown = false
    const began = performance.now()
    const last = await startService(t, folder, settings)
    const isTold = (id: string): boolean => receiver.told.get(id)?.includes('DELIVERED') === true
    const left = (): readonly string[] => [...accepted].filter((id) => !isTold(id))
    while (left().length > 0 && performance.now() - began < 120_000) await pause(50)
    const recoverMs = Math.round(performance.now() - began)
    await last.end('SIGTERM')

    const statuses = [...receiver.told.values()]
    const duplicates = statuses.reduce((sum, each) => sum + each.length - new Set(each).size, 0)
    const disordered = statuses.filter((each) => {
      const first = [...new Set(each)]
      return first.join() !== order.filter((status) => first.includes(status)).join()
    })
    t.diagnostic(
      `acknowledged ${accepted.size}, lost ${left().length}, duplicates ${duplicates}, ` +
        `order violations ${disordered.length}, recovered in ${recoverMs} ms`,
    )
    assert.ok(accepted.size > 0)
    assert.equal(left().length, 0)
    assert.deepEqual(disordered, [])
  })
})
