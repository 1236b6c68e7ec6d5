import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { loadConfig } from '../../src/config/load-config.ts'

describe('carriers in a configuration file', () => {
  it('stand there or in files beside it, with values from the environment', async (t) => {
    const cwd = await folder(t, {
      'nuncio.config.json': JSON.stringify({
        carriers: [
          'carriers/one.json',
          { id: 'two', type: 'SMPP', settings: { host: 'smsc', password: { env: 'PASSWORD' } } },
        ],
      }),
      'carriers/one.json': JSON.stringify({
        id: 'one',
        type: 'HTTP',
        settings: {
          secrets: { key: { env: 'KEY' } },
          request: { url: 'https://example.com/', json: { mode: { env: 'KEY' } } },
        },
      }),
    })

    const loaded = await load(cwd, { KEY: 'a', PASSWORD: 'b' })

    assert.ok(loaded.ok)
    assert.deepEqual(loaded.config.carriers, [
      {
        id: 'one',
        type: 'HTTP',
        settings: {
          secrets: { key: 'a' },
          request: { url: 'https://example.com/', json: { mode: { env: 'KEY' } } },
        },
      },
      { id: 'two', type: 'SMPP', settings: { host: 'smsc', password: 'b' } },
    ])
  })

  it('name every variable and every file that is not there, and quote nothing', async (t) => {
    const cwd = await folder(t, {
      'nuncio.config.json': JSON.stringify({
        carriers: [
          'none.json',
          'broken.json',
          { id: 'two', type: 'SMPP', settings: { password: { env: 'PASSWORD' } } },
        ],
      }),
      'broken.json': '{"secret": "hush"',
    })

    const loaded = await load(cwd, {})

    assert.ok(!loaded.ok)
    assert.deepEqual(loaded.faults, [
      'carriers[0] in ./nuncio.config.json names the file none.json, which cannot be read.',
      'carriers[1] in ./nuncio.config.json names the file broken.json, which is not valid JSON.',
      'carriers[2] in ./nuncio.config.json: settings.password names the environment variable ' +
        'PASSWORD, which is not set.',
    ])
  })

  it('must be a list', async (t) => {
    const cwd = await folder(t, { 'nuncio.config.json': '{"carriers":{}}' })

    const loaded = await load(cwd, {})

    assert.ok(!loaded.ok)
    assert.deepEqual(loaded.faults, ['The key carriers in ./nuncio.config.json must be an array.'])
  })
})

const load = (cwd: string, environment: Readonly<Record<string, string>>) =>
  loadConfig({ flags: {}, environment, cwd })

async function folder(t: TestContext, files: Readonly<Record<string, string>>): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'nuncio-config-'))
  t.after(() => rm(path, { recursive: true, force: true }))
  await mkdir(join(path, 'carriers'))
  for (const [name, text] of Object.entries(files)) await writeFile(join(path, name), text)
  return path
}
