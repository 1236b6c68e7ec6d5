import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import type { Config } from '../../src/config/config.ts'
import { loadConfig, type Loaded } from '../../src/config/load-config.ts'
import { collection } from '../../src/core/declaration/collection.ts'
import { settingExamples } from './support/setting-examples.ts'

/** The last example of every setting. */
const examples = Object.entries(settingExamples).map(
  ([name, { taken }]) => [name, taken.at(-1) ?? ['', '']] as const,
)

/** The settings as a file writes them: numbers and lists as such, the rest as text. */
const written = Object.fromEntries(
  examples.map(([name, [text, value]]) => {
    return [name, typeof value === 'number' || Array.isArray(value) ? value : text]
  }),
)

const values = Object.fromEntries(examples.map(([name, [, value]]) => [name, value]))

const declared = {
  collections: [{ name: 'customers' }],
  carriers: [{ id: 'provider', type: 'HTTP' }],
}

describe('nuncio.config', () => {
  for (const [name, text] of [
    [
      'nuncio.config.ts',
      `export const config: object = ${JSON.stringify({ ...written, ...declared })}`,
    ],
    ['nuncio.config.json', JSON.stringify({ ...written, ...declared })],
  ] as const) {
    it(`as ${name} is found in the folder, and has every setting and the collections`, async (t) => {
      const cwd = await folder(t, { [name]: text })

      const config = accepted(await loadConfig({ flags: {}, environment: {}, cwd }))

      assert.deepEqual(config, {
        ...values,
        config: join(cwd, name),
        declarations: declared.collections,
        versions: [],
        carriers: declared.carriers,
        oidc: null,
      })
    })
  }

  it('may export the object as its default', async (t) => {
    const cwd = await folder(t, { 'nuncio.config.ts': 'export default { port: 9000 }' })

    const config = accepted(await loadConfig({ flags: {}, environment: {}, cwd }))

    assert.equal(config.port, 9000)
  })

  it('may import the words of declarations from nuncio, wherever it lies', async (t) => {
    const text = `import { collection, defineConfig, text } from 'nuncio'
      const shops = collection({
        name: 'shops', noun: 'shop', description: 'A shop.', fields: { name: text({ nullable: true }) },
      })
      export default defineConfig({ collections: [shops] })`
    const cwd = await folder(t, { 'nuncio.config.ts': text })

    const config = accepted(await loadConfig({ flags: {}, environment: {}, cwd }))

    assert.deepEqual(config.declarations, [
      collection({
        name: 'shops',
        noun: 'shop',
        description: 'A shop.',
        fields: { name: { kind: 'text', nullable: true } },
      }),
    ])
  })

  it('may leave keys undefined, and may write numbers and lists as text', async (t) => {
    const text = `export default { host: undefined, port: '9000', retrySchedule: '1,2' }`
    const cwd = await folder(t, { 'nuncio.config.ts': text })

    const config = accepted(await loadConfig({ flags: {}, environment: {}, cwd }))

    assert.equal(config.host, '127.0.0.1')
    assert.equal(config.port, 9000)
    assert.deepEqual(config.retrySchedule, [1, 2])
  })

  it('may have an empty list, which is none', async (t) => {
    const cwd = await folder(t, { 'nuncio.config.json': '{ "webhookNetworks": [] }' })

    const config = accepted(await loadConfig({ flags: {}, environment: {}, cwd }))

    assert.deepEqual(config.webhookNetworks, [])
  })

  it('comes behind the environment, and that behind the flags', async (t) => {
    const cwd = await folder(t, {
      'nuncio.config.json': '{ "port": 1, "host": "a", "log": "warn" }',
    })
    const environment = { NUNCIO_PORT: '2', NUNCIO_HOST: 'b' }

    const config = accepted(await loadConfig({ flags: { port: '3' }, environment, cwd }))

    assert.deepEqual([config.port, config.host, config.log], [3, 'b', 'warn'])
  })

  it('may be named by the environment and, before that, by a flag', async (t) => {
    const cwd = await folder(t, { 'a.json': '{ "port": 1 }', 'b.json': '{ "port": 2 }' })
    const environment = { NUNCIO_CONFIG: 'a.json' }

    const byVariable = accepted(await loadConfig({ flags: {}, environment, cwd }))
    const byFlag = accepted(await loadConfig({ flags: { config: 'b.json' }, environment, cwd }))

    assert.deepEqual([byVariable.port, byFlag.port], [1, 2])
  })
})

describe('a configuration file is refused', () => {
  const refusals: readonly [string, string, RegExp][] = [
    [
      'with an unknown key',
      '{ "prot": 1 }',
      /^The key prot in x\.json is unknown\. Did you mean port\?$/,
    ],
    ['that names itself', '{ "config": "y.json" }', /^The key config in x\.json is unknown/],
    [
      'with a wrong value',
      '{ "port": 70000 }',
      /^The setting port \(from x\.json\) must be a whole number from 0 to 65535, not "70000"\.$/,
    ],
    [
      'with a value of the wrong kind',
      '{ "host": 1 }',
      /^The setting host \(from x\.json\) must be a text\.$/,
    ],
    ['with an object for a list', '{ "retrySchedule": {} }', /must be an array\.$/],
    ['with null for a number', '{ "port": null }', /must be a number\.$/],
    [
      'with something else in a list',
      '{ "corsOrigins": ["https://a.example", null] }',
      /must be an array\.$/,
    ],
    [
      'with collections that are no array',
      '{ "collections": {} }',
      /^The key collections in x\.json must be an array\.$/,
    ],
    ['that is no object', '[]', /^The configuration file x\.json must hold a JSON object\.$/],
    [
      'that is empty',
      '',
      /^The configuration file x\.json cannot be read: it is not valid JSON\.$/,
    ],
  ]
  for (const [what, text, message] of refusals) {
    it(what, async (t) => {
      const cwd = await folder(t, { 'x.json': text })

      const found = faults(await loadConfig({ flags: { config: 'x.json' }, environment: {}, cwd }))

      assert.equal(found.length, 1)
      assert.match(found[0] ?? '', message)
    })
  }

  it('without showing what stands around a mistake', async (t) => {
    const cwd = await folder(t, { 'x.json': '{\n "adminKey": "hush" x\n}' })

    const found = faults(await loadConfig({ flags: { config: 'x.json' }, environment: {}, cwd }))

    assert.match(found.join(), /not valid JSON \(line 2 column 21\)\.$/)
    assert.doesNotMatch(found.join(), /hush/)
  })

  it('that was named and is not there', async (t) => {
    const cwd = await folder(t, {})

    for (const config of ['x.ts', 'x.json']) {
      const found = faults(await loadConfig({ flags: { config }, environment: {}, cwd }))
      assert.deepEqual(found, [
        `The configuration file ${config} cannot be read: there is no such file.`,
      ])
    }
  })

  it('that is a folder, or of another kind', async (t) => {
    const cwd = await folder(t, { 'x.yaml': 'port: 1' })
    await mkdir(join(cwd, 'x.json'))

    const asFolder = faults(await loadConfig({ flags: { config: 'x.json' }, environment: {}, cwd }))
    const asYaml = faults(await loadConfig({ flags: { config: 'x.yaml' }, environment: {}, cwd }))

    assert.match(asFolder.join(), /it is a folder/)
    assert.match(asYaml.join(), /its name must end in \.json or \.ts/)
  })

  it('that exports nothing, or fails on its way', async (t) => {
    const cwd = await folder(t, {
      'empty.ts': 'export const port = 1',
      'throws.ts': `throw new Error('no region is set')`,
      'wrong.ts': 'export default { port: }',
    })

    const [empty, throws, wrong] = await Promise.all(
      ['empty.ts', 'throws.ts', 'wrong.ts'].map(async (config) =>
        faults(await loadConfig({ flags: { config }, environment: {}, cwd })).join(),
      ),
    )

    assert.match(
      empty ?? '',
      /must export an object: export const config = \{ … \}, or export default/,
    )
    assert.match(throws ?? '', /throws\.ts cannot be read: no region is set/)
    assert.match(wrong ?? '', /wrong\.ts cannot be read: /)
  })

  it('where there are two and none is named', async (t) => {
    const cwd = await folder(t, { 'nuncio.config.ts': '', 'nuncio.config.json': '{}' })

    const found = faults(await loadConfig({ flags: {}, environment: {}, cwd }))

    assert.match(found.join(), /There are both .*name one with --config/)
  })

  it('with an empty name', async (t) => {
    const cwd = await folder(t, { 'nuncio.config.json': '{ "port": 1 }' })

    const found = faults(await loadConfig({ flags: {}, environment: { NUNCIO_CONFIG: '' }, cwd }))

    assert.deepEqual(found, [
      'The setting config (from NUNCIO_CONFIG) must be the path of a file, not "".',
    ])
  })
})

async function folder(t: TestContext, files: Record<string, string>): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'nuncio-config-'))
  t.after(() => rm(path, { recursive: true }))
  for (const [name, text] of Object.entries(files)) await writeFile(join(path, name), text)
  return path
}

function accepted(loaded: Loaded<Config>): Config {
  if (loaded.ok) return loaded.config
  return assert.fail(loaded.faults.join('\n'))
}

function faults(loaded: Loaded<Config>): readonly string[] {
  if (!loaded.ok) return loaded.faults
  return assert.fail('the configuration was accepted')
}
