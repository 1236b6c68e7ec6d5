import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { startService, temporaryFolder, type Service } from '../support/service.ts'

describe('An Idempotency-Key', () => {
  it('holds over a crash: the same request gets the same answer, another one 422', async (t) => {
    const folder = await temporaryFolder(t)
    const first = await startService(t, folder)
    const { key } = first

    const made = await send(first, key, 'hello')
    await first.end('SIGKILL')
    const second = await startService(t, folder)
    const again = await send(second, key, 'hello')
    const other = await send(second, key, 'good-bye')

    assert.deepEqual([made.status, other.status], [201, 422])
    assert.deepEqual(again, made)
    assert.equal(await second.end('SIGTERM'), 0)
  })
})

async function send({ url }: Service, key: string, body: string): Promise<Sent> {
  const answer = await fetch(`${url}/v1/messages`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'idempotency-key': 'order-17',
    },
    body: JSON.stringify({ to: '+4915112345678', body }),
  })
  const { status, headers } = answer
  const [etag, location] = [headers.get('etag'), headers.get('location')]
  return { status, etag, location, text: status === 201 ? await answer.text() : '' }
}

interface Sent {
  readonly etag: string | null
  readonly location: string | null
  readonly status: number
  readonly text: string
}
