import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { startService, temporaryFolder } from '../support/service.ts'

const root = new URL('../../', import.meta.url).pathname

/** A copy of the project, in which a test makes a change and counts the files. */
interface Copy {
  readonly path: string
  /** The files that the change edited, and the folders that it created. */
  readonly touched: Set<string>
  /** Replaces the first match in a file; fails if there is none. */
  edit(file: string, pattern: RegExp, replacement: string): void
  /** Creates a file. */
  create(file: string, text: string): void
  /** Runs a TypeScript module in the copy and returns its output as JSON. */
  run(text: string): ReturnType<typeof JSON.parse>
}

describe('the change map of ARCHITECTURE.md', () => {
  it('adds a setting by one row: type, names, parser, help, reference and schema follow', async (t) => {
    const copy = await copyProject(t)

    copy.edit(
      'src/config/settings.ts',
      /settingTable\(\{\n/,
      `$&  pauseAfterMs: {
        placeholder: 'milliseconds',
        default: '250',
        description: 'A pause that only this test knows.',
        parser: parsers.rateLimit,
      },\n`,
    )

    assert.deepEqual([...copy.touched], ['src/config/settings.ts'])
    const seen = copy.run(`
      import { readFileSync } from 'node:fs'
      import { loadConfig } from './src/config/load-config.ts'
      import { defineConfig } from './src/config/define-config.ts'
      import { settings } from './src/config/settings.ts'
      import { settingsTable } from './src/config/settings-table.ts'
      import { settingFlags } from './src/cli/arguments.ts'
      import { withSettings } from './test/docs/support/config-schema.ts'
      const load = async (flags: Record<string, string>, environment: Record<string, string>) => {
        const loaded = await loadConfig({ flags, environment, cwd: import.meta.dirname })
        if (!loaded.ok) return loaded.faults
        const value: number = loaded.config.pauseAfterMs
        return value
      }
      defineConfig({ pauseAfterMs: 5 })
      // @ts-expect-error: the type follows from the parser
      defineConfig({ pauseAfterMs: ['5'] })
      const schema = JSON.parse(readFileSync('docs/nuncio.config.schema.json', 'utf8'))
      console.log(JSON.stringify({
        byDefault: await load({}, {}),
        byFlag: await load({ 'pause-after-ms': '7' }, {}),
        byVariable: await load({}, { NUNCIO_PAUSE_AFTER_MS: '8' }),
        refused: await load({ 'pause-after-ms': 'soon' }, {}),
        help: settingFlags(settings).find(({ flag }) => flag === 'pause-after-ms')?.note,
        reference: settingsTable().includes('A pause that only this test knows.'),
        schema: withSettings(schema).properties.pauseAfterMs,
      }))`)
    assert.deepEqual(seen, {
      byDefault: 250,
      byFlag: 7,
      byVariable: 8,
      refused: [
        'The setting pauseAfterMs (from --pause-after-ms) must be a whole number from 0 to 1000000, not "soon".',
      ],
      help: 'Variable NUNCIO_PAUSE_AFTER_MS; key pauseAfterMs; default 250',
      reference: true,
      schema: { $ref: '#/$defs/setting' },
    })
  })

  it('adds a collection by one file and its line in built-in.ts', async (t) => {
    const copy = await copyProject(t)

    copy.create(
      'src/collections/parcels.ts',
      `import { collection } from '../core/declaration/collection.ts'
      import { text } from '../core/declaration/field.ts'
      /** A parcel. */
      export const parcels = collection({
        name: 'parcels',
        noun: 'parcel',
        description: 'A parcel.',
        fields: { label: text({ required: true }) },
      })\n`,
    )
    copy.edit('src/collections/built-in.ts', /^/, `import { parcels } from './parcels.ts'\n`)
    copy.edit('src/collections/built-in.ts', /: readonly Collection\[\] = \[\n/, '$&  parcels,\n')

    assert.deepEqual(
      [...copy.touched],
      ['src/collections/parcels.ts', 'src/collections/built-in.ts'],
    )
    const service = await start(t, copy.path)
    const created = await service('PUT', '/parcels/one', { label: 'Fragile' })
    const document = await service('GET', '/openapi.json')
    assert.equal(created.label, 'Fragile')
    assert.ok(Object.keys(document.paths).some((path) => path.endsWith('/parcels/{id}')))
  })

  it('adds a field to messages by its declaration: each way to create one has it', async (t) => {
    const copy = await copyProject(t)

    const field = `campaign: text({ nullable: true, maxLength: 40, default: 'none' }),`
    copy.edit('src/collections/messages.ts', /^    carrier: text\(\{/m, `    ${field}\n$&`)

    assert.deepEqual([...copy.touched], ['src/collections/messages.ts'])
    const seen = copy.run(`
      import type { Broadcast } from './src/collections/broadcasts.ts'
      import { draftsOf } from './src/gateway/broadcasts/make-message.ts'
      import { received } from './src/gateway/reports/received-message.ts'
      import './src/wiring/wire.ts'
      const event = {
        kind: 'INCOMING', from: '+1', to: '+2', body: 'Hello', encoding: 'TEXT', protocolId: 0,
        messageClass: 1, numberOfParts: 1, repliesTo: null,
      } as const
      const newId = (prefix: string) => prefix
      const incoming = received({ carrier: 'c', newId, at: 0 }, event, null, null)
      const draft = draftsOf({ campaign: 'spring' } as unknown as Broadcast, 0)
      console.log(JSON.stringify({
        incoming: incoming.campaign,
        draft: draft({ id: 'm', to: '+1', body: 'Hello' }).campaign,
      }))`)
    assert.deepEqual(seen, { incoming: 'none', draft: 'spring' })
  })

  it("adds an operator's collection by configuration only", async (t) => {
    const folder = await temporaryFolder(t)
    const parcels = {
      name: 'parcels',
      noun: 'parcel',
      description: 'A parcel.',
      fields: { label: { kind: 'text', required: true } },
    }
    writeFileSync(join(folder, 'nuncio.config.json'), JSON.stringify({ collections: [parcels] }))

    const service = await start(t, root, folder)

    const created = await service('PUT', '/parcels/one', { label: 'Fragile' })
    assert.equal(created.label, 'Fragile')
  })

  it('adds a carrier type by one folder, its name in the collection, and one line', async (t) => {
    const copy = await copyProject(t)

    for (const file of readdirSync(join(root, 'src/carriers/simulator'))) {
      const text = readFileSync(join(root, 'src/carriers/simulator', file), 'utf8')
      copy.create(`src/carriers/mirror/${file}`, text.replace(`'SIMULATOR'`, `'MIRROR'`))
    }
    copy.edit('src/collections/carriers.ts', /choice\(\['SIMULATOR',/, `$& 'MIRROR',`)
    copy.edit(
      'src/wiring/wire-carriers.ts',
      /^/,
      `import { simulatorType as mirrorType } from '../carriers/mirror/simulator.ts'\n`,
    )
    copy.edit(
      'src/wiring/wire-carriers.ts',
      /SMPP: smppType\(\),\n/,
      '$&    MIRROR: mirrorType(0),\n',
    )

    assert.deepEqual(
      [...new Set([...copy.touched].map((file) => file.replace(/mirror\/.*/, 'mirror/')))],
      ['src/carriers/mirror/', 'src/collections/carriers.ts', 'src/wiring/wire-carriers.ts'],
    )
    const service = await start(t, copy.path)
    await service('PUT', '/carriers/mirror', { type: 'MIRROR', settings: { delayMs: 0 } })
    const message = { to: '+4915112345678', body: 'Hello', carrier: 'mirror' }
    const { id } = await service('POST', '/messages', message)
    await t.waitFor(
      async () => {
        const { status } = await service('GET', `/messages/${id}`)
        assert.equal(status.type, 'DELIVERED')
      },
      { interval: 50, timeout: 10_000 },
    )
  })
})

/** Copies the sources to a folder that ends with the test; packages come from the project. */
async function copyProject(t: TestContext): Promise<Copy> {
  const path = await temporaryFolder(t)
  for (const each of ['src', 'bin', 'packages', 'package.json', 'tsconfig.json']) {
    cpSync(join(root, each), join(path, each), { recursive: true })
  }
  for (const each of ['docs/nuncio.config.schema.json', 'test/docs/support/config-schema.ts']) {
    cpSync(join(root, each), join(path, each))
  }
  symlinkSync(join(root, 'node_modules'), join(path, 'node_modules'))
  const touched = new Set<string>()
  return {
    path,
    touched,
    edit: (file, pattern, replacement) => {
      const text = readFileSync(join(path, file), 'utf8')
      assert.match(text, pattern, file)
      writeFileSync(join(path, file), text.replace(pattern, replacement))
      touched.add(file)
    },
    create: (file, text) => {
      mkdirSync(join(path, file, '..'), { recursive: true })
      writeFileSync(join(path, file), text)
      touched.add(file)
    },
    run: (text) => {
      writeFileSync(join(path, 'probe.ts'), text)
      const config = { extends: './tsconfig.json', include: ['probe.ts'], exclude: [] }
      writeFileSync(join(path, 'probe.json'), JSON.stringify(config))
      const options = { cwd: path, encoding: 'utf8' } as const
      const compiler = join(root, 'node_modules/typescript/bin/tsc')
      execFileSync(process.execPath, [compiler, '--project', 'probe.json'], options)
      return JSON.parse(execFileSync(process.execPath, ['probe.ts'], options))
    },
  }
}

/** Starts the service of a project and returns a function that calls it as its administrator. */
async function start(
  t: TestContext,
  project: string,
  folder?: string,
): Promise<
  (method: string, path: string, body?: unknown) => Promise<ReturnType<typeof JSON.parse>>
> {
  const { url, key } = await startService(t, folder ?? (await temporaryFolder(t)), {}, [], project)
  return async (method, path, body) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const content = body === undefined ? {} : { body: JSON.stringify(body) }
    const response = await fetch(`${url}/v1${path}`, { method, headers, ...content })
    const answer = await response.text()
    assert.ok(response.ok, `${method} ${path}: ${response.status} ${answer}`)
    return JSON.parse(answer)
  }
}
