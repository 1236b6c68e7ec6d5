import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { noPostgres, testDatabase } from '../support/postgres/database.ts'
import { startTcpProxy } from '../support/tcp-proxy.ts'
import { headers, pause, startFleet } from './support/fleet.ts'

describe('a node whose PostgreSQL', { skip: await noPostgres() }, () => {
  for (const state of ['STALLED', 'REFUSING'] as const) {
    it(`is ${state} refuses soon, says so, and goes on by itself`, async (t) => {
      await using database = await testDatabase()
      const proxy = await startTcpProxy(new URL(database.url))
      t.after(() => proxy[Symbol.asyncDispose]())
      const fleet = await startFleet(t, proxy.url, ['api,submit,deliver'])
      const ask = async (path: string, init: RequestInit = {}) => {
        const began = performance.now()
        const answer = await fetch(`${fleet.at(0)?.url}${path}`, init)
        await answer.text()
        return { status: answer.status, tookMs: performance.now() - began, fields: answer.headers }
      }
      const send = (id: string) => {
        const body = JSON.stringify({ to: '+4915112345678', body: 'hello' })
        return ask(`/v1/messages/${id}`, { method: 'PUT', headers, body })
      }
      await send('before')

      proxy.set(state)
      const [refused, ready, live] = await Promise.all([
        send('meanwhile'),
        ask('/health/ready'),
        ask('/health/live'),
      ])
      const again = await send('again')
      proxy.set('PASSING')

      assert.deepEqual(
        [refused.status, again.status, ready.status, live.status],
        [503, 503, 503, 200],
      )
      assert.ok(refused.fields.has('retry-after'))
      const took = [refused, again, ready].map(({ tookMs }) => Math.round(tookMs))
      t.diagnostic(
        `refused after ${took.join(', ')} ms; 2,000 are promised on a machine of its own`,
      )
      const comesBack = async (asked: () => ReturnType<typeof ask>): Promise<number> => {
        for (let at = 0; at < 100 && (await asked()).status !== 200; at += 1) await pause(100)
        return (await asked()).status
      }
      assert.equal(await comesBack(() => send('after')), 200)
      assert.equal(await comesBack(() => ask('/health/ready')), 200)
      assert.equal((await ask('/v1/messages/meanwhile', { headers })).status, 404)
      await fleet.end(0, 'SIGTERM')
    })
  }
})
