import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { loadClientConfig } from '../../src/config/load-config.ts'

describe('the settings of the commands that talk to a service', () => {
  it('default to the service on this machine, without a key', () => {
    const loaded = loadClientConfig({ flags: {}, environment: {} })

    assert.deepEqual(loaded, { ok: true, config: { service: 'http://127.0.0.1:8080', key: null } })
  })

  it('come from the environment and, before that, from flags', () => {
    const environment = { NUNCIO_SERVICE: 'https://a.example/nuncio/', NUNCIO_KEY: 'a' }

    const fromEnvironment = loadClientConfig({ flags: {}, environment })
    const fromFlags = loadClientConfig({
      flags: { service: 'http://b.example', key: 'b' },
      environment,
    })

    assert.deepEqual(fromEnvironment, {
      ok: true,
      config: { service: 'https://a.example/nuncio', key: 'a' },
    })
    assert.deepEqual(fromFlags, { ok: true, config: { service: 'http://b.example', key: 'b' } })
  })

  it('are refused all at once, without showing a secret', () => {
    const loaded = loadClientConfig({
      flags: { service: 'http://user:hush@a.example', key: 'hush\n' },
      environment: { NUNCIO_SERVCIE: 'http://a.example' },
    })

    assert.ok(!loaded.ok)
    assert.equal(loaded.faults.length, 3)
    assert.match(
      loaded.faults.join('\n'),
      /NUNCIO_SERVCIE is unknown\. Did you mean NUNCIO_SERVICE\?/,
    )
    assert.doesNotMatch(loaded.faults.join('\n'), /hush/)
  })
})
