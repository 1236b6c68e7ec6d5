import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cp, glob, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { promisify } from 'node:util'

const run = promisify(execFile)
const root = join(import.meta.dirname, '..', '..')
const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc')

/** A program of somebody who has installed both packages. It is JavaScript and TypeScript alike. */
const program = `
import { createClient, NuncioProblem } from '@nuncio/client'
import { receiver, secretFrom, secretKey, sign } from '@nuncio/receiver'

const problem = {
  type: '/problems/not-found', title: 'Not found', status: 404, detail: 'none', instance: '/', requestId: 'r',
}
const client = createClient({
  baseUrl: 'http://service.example',
  key: 'nuncio_key',
  fetch: async (url) => new Response(JSON.stringify(problem), {
    status: 404, headers: { 'content-type': 'application/problem+json', url },
  }),
})
try {
  await client.messages.get('m')
} catch (error) {
  console.log(error instanceof NuncioProblem && error.type)
}

const secret = 'whsec_bnVuY2lvLWV4YW1wbGUtc2VjcmV0LTAwMDE='
const body = JSON.stringify([{ id: 'm', type: 'RECEIVED', from: '+1', body: 'hello' }])
const receive = receiver({ secrets: secret, RECEIVED: async ({ from, body }) => console.log(from, body) })
const timestamp = Math.floor(Date.now() / 1000)
const signature = sign(secretKey(secret), { id: 'b', timestamp, body })
const headers = {
  'webhook-id': 'b', 'webhook-timestamp': String(timestamp), 'webhook-signature': signature,
  'content-type': 'application/json',
}
console.log((await receive({ headers, body })).status)
console.log(typeof secretFrom)
`

describe('the packages, as they are published', () => {
  let folder = ''
  const installed = (path: string): string => join(folder, 'consumer/node_modules/@nuncio', path)

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'nuncio-packages-'))
    await copyRepository(join(folder, 'repository'))
    const consumer = join(folder, 'consumer')
    await mkdir(consumer)
    await writeFile(join(consumer, 'package.json'), '{"type":"module","private":true}')
    await writeFile(join(consumer, 'program.mjs'), program)
    const tarballs = [await pack('client'), await pack('receiver')]
    const quiet = ['--offline', '--no-audit', '--no-fund', '--cache', join(folder, 'cache')]
    await run('npm', ['install', ...quiet, ...tarballs], { cwd: consumer })
  })
  after(() => rm(folder, { recursive: true, force: true }))

  async function pack(name: string): Promise<string> {
    const cwd = join(folder, 'repository/packages', name)
    const { stdout } = await run('npm', ['pack', '--pack-destination', folder], { cwd })
    return join(folder, stdout.trim().split('\n').at(-1) ?? '')
  }

  it('are JavaScript with types, a licence and a README, and no TypeScript', async () => {
    for (const name of ['client', 'receiver']) {
      const files = await Array.fromAsync(glob('**/*', { cwd: installed(name) }))

      assert.deepEqual(
        files.filter((file) => file.endsWith('.ts') && !file.endsWith('.d.ts')),
        [],
      )
      assert.ok(files.includes('LICENSE') && files.includes('README.md'))
      assert.ok(files.some((file) => file.endsWith('.d.ts')))
    }
  })

  it('need nothing else, and lead to what is there', async () => {
    for (const name of ['client', 'receiver']) {
      const manifest = JSON.parse(await readFile(installed(`${name}/package.json`), 'utf8'))
      const { types, default: entry } = manifest.exports['.']

      assert.deepEqual(
        Object.keys(manifest).filter((key) => /dependencies|scripts|publishConfig/i.test(key)),
        [],
      )
      for (const file of [types, entry]) await readFile(installed(join(name, file)))
    }
  })

  it('run on every Node of this machine from 20 on', async () => {
    for (const node of await nodes()) {
      const { stdout } = await run(node, ['program.mjs'], { cwd: join(folder, 'consumer') })

      assert.equal(stdout, 'not-found\n+1 hello\n204\nfunction\n', node)
    }
  })

  it('have types that a strict compiler follows', async () => {
    const consumer = join(folder, 'consumer')
    await writeFile(join(consumer, 'program.ts'), program)
    const compilerOptions = {
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      module: 'nodenext',
      target: 'es2022',
      noEmit: true,
      typeRoots: [join(root, 'node_modules/@types')],
      types: ['node'],
    }
    const settings = { compilerOptions, files: ['program.ts'] }
    await writeFile(join(consumer, 'tsconfig.json'), JSON.stringify(settings))

    const { stdout } = await run(process.execPath, [compiler, '-p', consumer]).catch(
      (error: { stdout: string }) => error,
    )

    assert.equal(stdout, '')
  })

  it('leave the manifests of the repository as they were', async () => {
    for (const name of ['client', 'receiver']) {
      const path = join('packages', name, 'package.json')
      const [before, now] = await Promise.all(
        [root, join(folder, 'repository')].map((where) => readFile(join(where, path), 'utf8')),
      )

      assert.equal(now, before)
    }
  })
})

/** What packing needs, in a place of its own: the manifests change while it goes on. */
async function copyRepository(to: string): Promise<void> {
  await mkdir(to)
  for (const name of ['src', 'packages', 'tsconfig.json', 'package.json', 'LICENSE']) {
    await cp(join(root, name), join(to, name), { recursive: true })
  }
  await symlink(join(root, 'node_modules'), join(to, 'node_modules'))
}

/** The Node that runs this test, and any other that the machine finds. */
async function nodes(): Promise<readonly string[]> {
  const found: string[] = [process.execPath]
  for (const folder of (process.env['PATH'] ?? '').split(delimiter)) {
    const node = join(folder, 'node')
    const version = await run(node, ['--version']).catch(() => null)
    if (Number(/^v(\d+)/.exec(version?.stdout ?? '')?.[1] ?? 0) >= 20) found.push(node)
  }
  return found
}
