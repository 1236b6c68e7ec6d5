import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cp, mkdir, readdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { promisify } from 'node:util'
import { temporaryDirectory } from '../stores/temporary-directory.ts'

const root = join(import.meta.dirname, '..', '..')

describe('the program, installed as a package', () => {
  it('runs, and reads a configuration file that imports from it', async () => {
    await using directory = await temporaryDirectory()
    const installed = directory.file('node_modules/nuncio')
    await install(directory.file('node_modules'), installed)
    await writeFile(directory.file('nuncio.config.ts'), configuration)

    const [version, serve] = await Promise.all([
      run(installed, ['version'], directory.file('.')),
      run(installed, ['serve'], directory.file('.')),
    ])

    assert.match(version, /^nuncio \d/)
    assert.match(serve, /collections\[0\]\.fields\.name/)
    assert.doesNotMatch(serve, /Warning|^ +at /m)
  })
})

describe('a thread of the installed package', () => {
  it('runs its TypeScript, too', async () => {
    await using directory = await temporaryDirectory()
    const folder = directory.file('.')
    await install(directory.file('node_modules'), directory.file('node_modules/nuncio'))
    await writeFile(directory.file('count.mjs'), counting)

    const { stdout } = await promisify(execFile)(process.execPath, ['count.mjs'], { cwd: folder })

    assert.equal(stdout.trim(), '0')
  })
})

/** A search is expensive, so a thread runs it. */
const counting = `
  import { runInstalledTypeScript } from './node_modules/nuncio/bin/strip-types.js'
  runInstalledTypeScript()
  const { sqliteStore } = await import('./node_modules/nuncio/src/stores/sqlite/sqlite-store.ts')
  const { messages } = await import('./node_modules/nuncio/src/collections/messages.ts')
  const store = await sqliteStore('./nuncio.db', [messages])
  const signal = () => new AbortController().signal
  const limits = { signal, remainingMs: () => 60000, mayBePartial: true }
  const filter = { conditions: [], searchTerms: ['x'] }
  console.log(await store.count('default', messages, null, filter, limits))
  await store[Symbol.asyncDispose]()
`

/** A field that can have no value stops the start with a message, so nothing stays running. */
const configuration = `
  import { collection, defineConfig, text } from 'nuncio'
  const shops = collection({
    name: 'shops', noun: 'shop', description: 'A shop.', fields: { name: text() },
  })
  export default defineConfig({ store: 'memory:', port: 0, collections: [shops] })
`

/** As npm does it: files are copied, and what they need lies beside them. */
async function install(folder: string, installed: string): Promise<void> {
  await mkdir(installed, { recursive: true })
  for (const name of ['bin', 'src', 'package.json']) {
    await cp(join(root, name), join(installed, name), { recursive: true })
  }
  const others = (await readdir(join(root, 'node_modules'))).filter((name) => name !== 'nuncio')
  for (const name of others) await symlink(join(root, 'node_modules', name), join(folder, name))
}

/** What a command prints, on both streams, however it ends. */
async function run(installed: string, args: readonly string[], cwd: string): Promise<string> {
  const file = join(installed, 'bin', 'nuncio.js')
  const ended = promisify(execFile)(process.execPath, [file, ...args], { cwd, env: {} })
  const { stdout, stderr } = await ended.catch((error: { stdout: string; stderr: string }) => error)
  return stdout + stderr
}
