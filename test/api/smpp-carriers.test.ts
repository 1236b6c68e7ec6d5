import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { startOver, storeKinds } from './support/over-stores.ts'

/** An SMPP carrier at an address where nothing listens. */
const smppCarrier = (settings: Record<string, unknown>) => ({
  type: 'SMPP',
  settings: { host: '127.0.0.1', port: 1, systemId: 'acme', ...settings },
})

for (const kind of storeKinds) {
  describe(`An SMPP carrier (${kind})`, () => {
    it('cannot share the system id of another active carrier at its SMSC', async (t) => {
      const api = await startOver(t, kind)
      await api.put('/v1/carriers/first', smppCarrier({}))

      const second = await api.put('/v1/carriers/second', smppCarrier({}))
      const elsewhere = await api.put('/v1/carriers/third', smppCarrier({ port: 2 }))
      const spare = await api.put('/v1/carriers/fourth', { ...smppCarrier({}), active: false })
      const changed = await api.patch('/v1/carriers/first', { name: 'First' })
      const activated = await api.patch('/v1/carriers/fourth', { active: true })

      assert.equal(second.status, 400)
      assert.equal(second.json.errors[0].pointer, '/settings/systemId')
      assert.match(second.json.errors[0].detail, /^must not be that of the active carrier "first"/)
      assert.deepEqual([elsewhere.status, spare.status, changed.status], [200, 200, 200])
      assert.equal(activated.status, 400)
    })

    it('has no routes if it only receives', async (t) => {
      const api = await startOver(t, kind)
      const receiver = smppCarrier({ bind: 'RECEIVER' })

      const refused = await api.put('/v1/carriers/in', { ...receiver, routes: [{ prefix: '+49' }] })
      const accepted = await api.put('/v1/carriers/in', receiver)

      assert.equal(refused.status, 400)
      assert.equal(refused.json.errors[0].pointer, '/settings/bind')
      assert.equal(accepted.status, 200)
    })
  })
}
