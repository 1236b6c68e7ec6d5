import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Config } from '../../src/config/config.ts'
import { loadConfig, type Loaded } from '../../src/config/load-config.ts'
import { settings } from '../../src/config/settings.ts'
import { settingExamples } from './support/setting-examples.ts'

/** A folder without a configuration file. */
const cwd = import.meta.dirname

const examples = Object.entries(settingExamples)
const names = Object.keys(settingExamples) as (keyof typeof settingExamples)[]

/** The lists of a configuration file, if there is none. */
const noLists = { declarations: [], versions: [], carriers: [] }

describe('the settings', () => {
  it('have their fixed defaults', async () => {
    const config = accepted(await load({}))

    const defaults = examples.map(([name, example]) => [name, example.default] as const)
    assert.deepEqual(config, { ...Object.fromEntries(defaults), config: null, ...noLists })
  })

  it('are all shown by example here', () => {
    const names = [...Object.keys(settingExamples), 'config']
    assert.deepEqual(names.toSorted(), Object.keys(settings).toSorted())
  })

  it('leave nothing undone that no other node can do', async () => {
    const onPostgres = await load({
      NUNCIO_STORE: 'postgres://localhost/nuncio',
      NUNCIO_ROLES: 'deliver,api',
    })
    const onSqlite = await load({ NUNCIO_ROLES: 'api,deliver' })

    assert.deepEqual(accepted(onPostgres).roles, ['api', 'deliver'])
    assert.deepEqual(onSqlite, {
      ok: false,
      faults: [
        'The setting roles leaves out submit, which no other node can do: ' +
          'only a store in PostgreSQL is shared by several nodes.',
      ],
    })
  })

  it('name the parameter of a PostgreSQL URL that is unknown, the nearest one, and what it may be', async () => {
    const faults = async (query: string): Promise<string> => {
      const loaded = await load({ NUNCIO_STORE: `postgres://u:hush@db/n?${query}` })
      return loaded.ok ? '' : loaded.faults.join('\n')
    }

    const told = [await faults('connection=5'), await faults('foo=1'), await faults('pooled=yes')]

    assert.match(told[0] ?? '', /NUNCIO_STORE.* "connection" .*\(did you mean connections\?\)\.$/)
    assert.match(told[1] ?? '', /"foo" .*\(the names are connections, .*sslmode.*\)\.$/)
    assert.match(
      told[2] ?? '',
      /must have one of true, false for the parameter pooled of its URL\.$/,
    )
    assert.doesNotMatch(told.join(), /hush/)
  })

  it('refuse words that could never do what is said of them', async () => {
    const vain = await load({
      NUNCIO_OPT_OUT_WORDS: 'halt,Start,weiter',
      NUNCIO_OPT_IN_WORDS: 'STOP,yes,Weiter',
    })
    const needless = await load({ NUNCIO_OPT_OUT_WORDS: 'stop', NUNCIO_OPT_IN_WORDS: 'start' })

    assert.equal(needless.ok, true)
    assert.deepEqual(vain, {
      ok: false,
      faults: [
        'The setting optOutWords names Start, which ends an opt-out everywhere.',
        'The setting optInWords names STOP, which opts out everywhere.',
        'The settings optOutWords and optInWords both name Weiter.',
      ],
    })
  })

  it('have one spelling in each place', () => {
    for (const [name, { flag, variable, key }] of Object.entries(settings)) {
      const words = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
      assert.equal(flag, words)
      assert.equal(variable, `NUNCIO_${words.toUpperCase().replaceAll('-', '_')}`)
      assert.equal(key, name === 'config' ? null : name)
    }
  })

  it('cannot be changed once they are read', async () => {
    const config = accepted(await load({ NUNCIO_RETRY_SCHEDULE: '1,2' }))

    for (const value of [config, config.store, config.retrySchedule, config.webhookNetworks]) {
      assert.ok(Object.isFrozen(value))
    }
  })

  for (const name of names) {
    const { taken, refused } = settingExamples[name]
    const { flag, variable } = settings[name]

    for (const [text, value] of taken) {
      it(`${name} takes ${JSON.stringify(text)}, as a flag and from the environment`, async () => {
        const fromFlag = accepted(await load({}, { [flag]: text }))
        const fromEnvironment = accepted(await load({ [variable]: text }))

        assert.deepEqual(fromFlag[name], value)
        assert.deepEqual(fromEnvironment[name], value)
      })
    }

    for (const text of refused) {
      it(`${name} refuses ${JSON.stringify(text)}, naming the source and the rule`, async () => {
        const fromFlag = faults(await load({}, { [flag]: text }))
        const fromEnvironment = faults(await load({ [variable]: text }))

        assert.equal(fromFlag.length, 1)
        assert.equal(fromEnvironment.length, 1)
        assert.ok(fromFlag.join().startsWith(`The setting ${name} (from --${flag}) must `))
        assert.ok(fromEnvironment.join().startsWith(`The setting ${name} (from ${variable}) must `))
      })
    }
  }
})

describe('a refused setting', () => {
  it('shows what was found', async () => {
    const found = faults(await load({ NUNCIO_PORT: 'eighty' }))

    assert.deepEqual(found, [
      'The setting port (from NUNCIO_PORT) must be a whole number from 0 to 65535, not "eighty".',
    ])
  })

  it('does not show a secret', async () => {
    const found = faults(
      await load({ NUNCIO_ADMIN_KEY: 'nuncio_hush', NUNCIO_STORE: 'mysql://u:hush@db' }),
    )

    assert.equal(found.length, 2)
    assert.doesNotMatch(found.join(), /hush/)
  })

  it('is reported together with every other', async () => {
    const found = faults(
      await load({ NUNCIO_PORT: 'x', NUNCIO_LOG: 'x', NUNCIO_HOTS: 'x' }, { host: '' }),
    )

    assert.equal(found.length, 4)
  })

  it('says what to do about the variable that Kubernetes sets', async () => {
    const found = faults(await load({ NUNCIO_PORT: 'tcp://10.0.0.1:8080' }))

    assert.match(found.join(), /enableServiceLinks: false/)
  })
})

describe('a variable that begins with NUNCIO_', () => {
  it('is refused where it is unknown, with the nearest that is known', async () => {
    const found = faults(await load({ NUNCIO_PROT: '1', NUNCIO_SIMULATOR_DELAY: '1' }))

    assert.deepEqual(found, [
      'The environment variable NUNCIO_PROT is unknown. Did you mean NUNCIO_PORT?',
      'The environment variable NUNCIO_SIMULATOR_DELAY is unknown. Did you mean NUNCIO_SIMULATOR_DELAY_MS?',
    ])
  })

  it('is refused without a guess where nothing is near', async () => {
    const found = faults(await load({ NUNCIO_EXPERIMENT: '1' }))

    assert.deepEqual(found, ['The environment variable NUNCIO_EXPERIMENT is unknown.'])
  })

  it('may be one of the commands that talk to a service', async () => {
    const loaded = await load({ NUNCIO_SERVICE: 'http://127.0.0.1:1', NUNCIO_KEY: 'k' })

    assert.ok(loaded.ok)
  })

  it('says what to do about those that Kubernetes sets', async () => {
    const found = faults(await load({ NUNCIO_SERVICE_HOST: '10.0.0.1', NUNCIO_PORT_8080_TCP: 'x' }))

    assert.equal(found.length, 2)
    for (const fault of found) assert.match(fault, /enableServiceLinks: false/)
  })
})

describe('webhookNetworks', () => {
  for (const host of ['127.0.0.1', '127.8.8.8', '::1', '0:0:0:0:0:0:0:1', 'localhost']) {
    it(`unset, are those of this machine while it listens on ${host} only`, async () => {
      const config = accepted(await load({ NUNCIO_HOST: host }))

      assert.deepEqual(config.webhookNetworks, ['127.0.0.0/8', '::1/128'])
    })
  }

  for (const host of ['0.0.0.0', '::', '192.0.2.1', 'api.example.com', 'localhost.example.com']) {
    it(`unset, are none while it listens on ${host}`, async () => {
      const config = accepted(await load({ NUNCIO_HOST: host }))

      assert.deepEqual(config.webhookNetworks, [])
    })
  }

  it('set and empty, are none on loopback too', async () => {
    const config = accepted(await load({ NUNCIO_WEBHOOK_NETWORKS: '' }))

    assert.deepEqual(config.webhookNetworks, [])
  })
})

function load(
  environment: Record<string, string>,
  flags: Record<string, string> = {},
): Promise<Loaded<Config>> {
  return loadConfig({ flags, environment, cwd })
}

function accepted(loaded: Loaded<Config>): Config {
  if (loaded.ok) return loaded.config
  return assert.fail(loaded.faults.join('\n'))
}

function faults(loaded: Loaded<Config>): readonly string[] {
  if (!loaded.ok) return loaded.faults
  return assert.fail('the configuration was accepted')
}
