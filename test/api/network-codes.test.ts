import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { noTlvs, plainBody, startSmsc, type Smsc } from '../carriers/smpp/support/smsc.ts'
import { until } from '../carriers/support/until.ts'
import type { TestApi } from '../support/api.ts'
import { startOver, storeKinds } from './support/over-stores.ts'

type Reading = Awaited<ReturnType<TestApi['get']>>['json']

const accounts = ['one', 'two', 'three', 'four']

const smppCarrier = (smsc: Smsc, systemId: string) => ({
  type: 'SMPP',
  settings: { host: '127.0.0.1', port: smsc.port, systemId },
})

/** Sends a receipt over the first session, and waits for its response. */
async function receipt(smsc: Smsc, text: string) {
  const body = { ...plainBody, esm_class: 4, short_message: Buffer.from(text) }
  return smsc.sessions[0]?.request('deliver_sm', body, noTlvs)
}

for (const kind of storeKinds) {
  describe(`Receipts of two message centers for four accounts (${kind})`, () => {
    it('reach the messages of their carrier only, whose codes filter lists', async (t) => {
      await using good = await startSmsc()
      await using hostile = await startSmsc()
      const api = await startOver(t, kind)
      const keys: string[] = []
      for (const name of accounts) keys.push(await api.newAccount(name))
      await api.put('/v1/carriers/good', smppCarrier(good, 'acme'))
      await api.put('/v1/carriers/hostile', smppCarrier(hostile, 'other'))
      for (const smsc of [good, hostile]) {
        await until('it is bound', () => (smsc.sessions[0]?.boundWith ?? null) !== null)
      }
      const list = async (key: string | undefined, query: string): Promise<Reading> =>
        (await api.get(`/v1/messages?${query}`, { key: key ?? null })).json
      const send = async (key: string, index: number) => {
        const message = { to: '+4915112345678', body: 'x', carrier: 'good' }
        await api.put(`/v1/messages/m${index}`, message, { key })
        for (let round = 0; round < 200; round += 1) {
          const [{ status }] = await list(key, 'fields=status')
          if (status.type === 'SENT') return
          await api.clock.advance(10)
        }
      }
      for (const [index, key] of keys.entries()) await send(key, index)

      const answers = []
      for (const id of ['1', '2', '3', '4', 'a\0b', 'x'.repeat(200)]) {
        answers.push(await receipt(hostile, `id:${id} stat:UNDELIV err:0\0`))
      }
      const untouched = await Promise.all(keys.map((key) => list(key, 'fields=status,networkCode')))
      await receipt(good, 'id:1 stat:UNDELIV err:027')
      await receipt(good, 'id:2 stat:DELIVRD err:000')
      await receipt(good, 'id:3 stat:EXPIRED err:9%,')

      assert.ok(
        answers.every((each) => each?.status === 0),
        JSON.stringify(answers),
      )
      for (const [message] of untouched) {
        assert.deepEqual([message.status.id, message.networkCode], ['SENT.null', null])
      }
      const idsFor = async (query: string) => {
        const found = await Promise.all(keys.map((key) => list(key, `fields=id&${query}`)))
        return found.flat().map(({ id }: { id: string }) => id)
      }
      assert.deepEqual(await idsFor('networkCode=027'), ['m0'])
      assert.deepEqual(await idsFor('networkCode=027&networkCode=000'), ['m0', 'm1'])
      assert.deepEqual(await idsFor('networkCode=9%25'), ['m2'])
      assert.deepEqual(await idsFor('networkCode=null'), ['m3'])
      assert.deepEqual(await idsFor('networkCode_ne=027'), ['m1', 'm2'])
      assert.deepEqual(await idsFor('networkCode_like=0*'), ['m0', 'm1'])
    })
  })
}
