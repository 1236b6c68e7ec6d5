import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { describe, it, type TestContext } from 'node:test'
import { startService, temporaryFolder, type Service } from '../support/service.ts'

/** A receiver in this process: it outlives the service, and counts what it was told of each message. */
async function startReceiver(
  t: TestContext,
): Promise<{ url: string; told: Map<string, string[]> }> {
  const told = new Map<string, string[]>()
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const records: { id: string; status: { type: string } }[] = JSON.parse(
        Buffer.concat(chunks).toString(),
      )
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
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return { url: `http://127.0.0.1:${port}/hook`, told }
}

const total = 2000
const atOnce = 32

/** Sends messages until all are sent or the service is gone; returns those that were answered 201. */
async function sendAll(
  { url, key }: Service,
  onAccepted: (count: number) => void,
): Promise<string[]> {
  const accepted: string[] = []
  let next = 0
  const one = async (): Promise<void> => {
    while (next < total) {
      const body = JSON.stringify({ to: '+4915112345678', body: `number ${(next += 1)}` })
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
      try {
        const answer = await fetch(`${url}/v1/messages`, { method: 'POST', headers, body })
        const { id } = (await answer.json()) as { id: string }
        assert.equal(answer.status, 201)
        accepted.push(id)
        onAccepted(accepted.length)
      } catch (error) {
        if (error instanceof TypeError) return
        throw error
      }
    }
  }
  await Promise.all(Array.from({ length: atOnce }, one))
  return accepted
}

async function until(
  condition: () => boolean | Promise<boolean>,
  deadlineMs: number,
): Promise<boolean> {
  const end = performance.now() + deadlineMs
  while (performance.now() < end) {
    if (await condition()) return true
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
  return false
}

describe('The process, killed in the middle of 2,000 sends and started again', () => {
  it('loses nothing that it answered 201', { timeout: 120_000 }, async (t) => {
    const receiver = await startReceiver(t)
    const folder = await temporaryFolder(t)
    const settings = {
      NUNCIO_ADMIN_KEY: 'nuncio_for_the_test_of_kill_minus_nine',
      NUNCIO_SIMULATOR_DELAY_MS: '50',
      NUNCIO_RETRY_SCHEDULE: '1',
    }
    const first = await startService(t, folder, settings)
    const headers = {
      authorization: `Bearer ${settings.NUNCIO_ADMIN_KEY}`,
      'content-type': 'application/json',
    }
    const made = await fetch(`${first.url}/v1/webhooks`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ url: receiver.url }),
    })
    assert.equal(made.status, 201)

    let ended: Promise<unknown> | null = null
    const accepted = await sendAll(first, (count) => {
      if (count === total / 2) ended = first.end('SIGKILL')
    })
    await ended
    const second = await startService(t, folder, settings)
    const arrived = await until(() => accepted.every((id) => receiver.told.has(id)), 60_000)
    const open = await fetch(
      `${second.url}/v1/messages?status.type_ne=DELIVERED&pageSize=1000&fields=id`,
      { headers },
    )
    const undelivered = await open.json()

    const lost = accepted.filter((id) => !receiver.told.has(id))
    const repeated = accepted.filter((id) => (receiver.told.get(id)?.length ?? 0) > 1)
    t.diagnostic(
      `answered 201: ${accepted.length}, lost: ${lost.length}, notified twice: ${repeated.length}`,
    )
    assert.equal(arrived, true)
    assert.equal(lost.length, 0)
    assert.ok(accepted.length >= total / 2)
    assert.deepEqual(undelivered, [])
    for (const id of accepted) assert.equal(new Set(receiver.told.get(id)).size, 1)
    assert.equal(await second.end('SIGTERM'), 0)
  })
})
