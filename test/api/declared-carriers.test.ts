import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { standardOffer } from '../../src/wiring/wire.ts'
import { memoryStore } from '../oracle/memory-store.ts'
import { startApi } from '../support/api.ts'
import { settle } from '../support/virtual-clock.ts'

const simulator = { id: 'declared', type: 'SIMULATOR', settings: { delayMs: 5 } }

describe('A carrier that the configuration file declares', () => {
  it('is there from the start, open, and marked', async (t) => {
    const api = await startApi(t, { config: { carriers: [simulator] } })
    await settle()

    const { json } = await api.get('/v1/carriers/declared')

    assert.deepEqual([json.declared, json.state, json.settings], [true, 'BOUND', { delayMs: 5 }])
    assert.equal((await api.get('/v1/carriers/carrier_simulator')).json.declared, false)
  })

  it('is changed and removed in the file alone', async (t) => {
    const api = await startApi(t, { config: { carriers: [simulator] } })
    const path = '/v1/carriers/declared'

    const answers = [
      await api.put(path, simulator),
      await api.patch(path, { active: false }),
      await api.delete(path),
    ]

    assert.deepEqual(
      answers.map(({ status }) => status),
      [409, 409, 409],
    )
  })

  it('stays as it is at a start that changes nothing, and follows one that does', async (t) => {
    const store = memoryStore(standardOffer.collections)
    // The service lets go of the store that it is given: this one outlives it.
    const kept = { ...store, [Symbol.asyncDispose]: async () => {} }
    const start = async (declared: readonly unknown[]) => {
      const api = await startApi(t, { store: kept, config: { carriers: declared, adminKey } })
      const { json } = await api.get('/v1/carriers/declared', { key: adminKey })
      return json
    }

    const first = await start([simulator])
    const same = await start([simulator])
    const changed = await start([{ ...simulator, settings: { delayMs: 7 } }])
    const left = await start([])

    assert.equal(same.updatedAt, first.updatedAt)
    assert.deepEqual([changed.settings.delayMs, changed.declared], [7, true])
    assert.deepEqual([left.settings.delayMs, left.declared], [7, false])
  })

  it('stops the start where anything is wrong with it, and all of it is named', async (t) => {
    const declared = [
      { id: 'a', type: 'HTTP', settings: { request: { url: 'https://10.0.0.1/' } } },
      { id: 'a', type: 'SIMULATOR' },
      { type: 'SIMULATOR' },
      { id: 'b', type: 'SIMULATOR', settings: { dleayMs: 1 } },
    ]

    await assert.rejects(startApi(t, { config: { carriers: declared } }), (error: Error) => {
      assert.deepEqual(error.message.split('\n'), [
        'nuncio.config: carriers[0].settings.request.url: must not lead to a loopback, private or ' +
          'otherwise reserved address, unless the operator allows its network.',
        'nuncio.config: carriers[1].id: must not repeat "a".',
        'nuncio.config: carriers[2]: must be an object with an id, such as "id": "provider".',
        'nuncio.config: carriers[3].settings.dleayMs: is not a field. Did you mean delayMs?',
      ])
      return true
    })
  })
})

const adminKey = 'nuncio_0123456789_abcdefghijklmnopqrst'
