import assert from 'node:assert/strict'
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { known } from '../../../packages/receiver/test/support/known.ts'
import { received, sent, signed } from '../../../packages/receiver/test/support/signed.ts'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

const readme = await readFile(here('../../../packages/receiver/README.md'), 'utf8')
const [receiver = '', ...servers] = [...readme.matchAll(/^```js\n(.*?)^```$/gms)].map(
  ([, code = '']) => code,
)

/** The frameworks that the page shows, in its order. */
const titles = ['a Fetch handler', 'node:http', 'Express', 'Fastify', 'Hono']

describe('The README', () => {
  it('has one example for each framework, of three lines', () => {
    assert.equal(servers.length, titles.length)
    for (const server of servers) {
      const lines = server.split('\n').filter((line) => line !== '')
      assert.ok(lines.length <= 3, server)
    }
  })

  for (const [index, title] of titles.entries()) {
    it(`shows a server that receives signed requests and refuses others (${title})`, async (t) => {
      const { url, output } = await run(t, `${receiver}\n${servers[index]}`)
      const now = Math.floor(Date.now() / 1000)

      const accepted = await fetch(url, signed([received(), sent()], { timestamp: now }))
      const stale = await fetch(url, signed([received()], { timestamp: now - 301 }))

      assert.deepEqual([accepted.status, stale.status], [204, 401])
      assert.deepEqual(await output(), [
        'message_1: +4915112345678 wrote Grüße 👋',
        'message_2: to +4915187654321 is DELIVERED',
      ])
    })
  }
})

/** The packages that the examples import, beside ours. */
const packages = [
  ...['express', 'fastify', 'hono'].map((name) => [name, here(`node_modules/${name}`)] as const),
  ['@nuncio', here('../../../node_modules/@nuncio')] as const,
]

/** Runs a program in a folder that sees the packages of the examples; `output` ends it. */
async function run(t: TestContext, program: string) {
  const folder = await mkdtemp(join(tmpdir(), 'receiver-readme-'))
  t.after(() => rm(folder, { recursive: true }))
  await mkdir(join(folder, 'node_modules'))
  for (const [name, from] of packages) await symlink(from, join(folder, 'node_modules', name))
  await writeFile(join(folder, 'example.mjs'), program)

  const child = fork(
    here('support/run-readme.ts'),
    [pathToFileURL(join(folder, 'example.mjs')).href],
    {
      env: { ...process.env, WEBHOOK_SECRET: known.secret },
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    },
  )
  t.after(() => child.kill())

  const lines = collectLines(child)
  const port = await portOf(child)
  return {
    url: `http://127.0.0.1:${port}/webhooks`,
    output: async () => {
      child.kill()
      return lines
    },
  }
}

async function collectLines(child: ChildProcess): Promise<string[]> {
  let text = ''
  child.stdout?.setEncoding('utf8').on('data', (piece: string) => (text += piece))
  await once(child, 'close')
  return text.split('\n').filter((line) => line !== '')
}

/** Where the example listens; fails where it ends before it does. */
async function portOf(child: ChildProcess): Promise<number> {
  const listening = once(child, 'message').then(([port]) => Number(port))
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`the example ended with ${code} before it listened`)
  })
  return Promise.race([listening, ended])
}
