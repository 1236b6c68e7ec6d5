import assert from 'node:assert/strict'
import { chownSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { before, describe, it, type TestContext } from 'node:test'
import { freePort } from '../../support/free-ports.ts'
import { noPostgres, testDatabase } from '../../support/postgres/database.ts'
import { deliver, runSandboxed, startSandboxed, type Sandbox } from './sandbox.ts'
import { documentsIn, project, run } from './tools.ts'

/** Here the base and the layers stay for the next run. */
const scratch = join(tmpdir(), 'nuncio-image')
const root = join(scratch, 'image')

/** The exit code of `build-image.sh` if this machine cannot build. */
const cannot = 3

/** The user `node` of the image. */
const user = 1000

/** What an engine reads from the image. */
interface ImageConfig {
  readonly User: string
  readonly WorkingDir: string
  readonly Env: readonly string[]
  readonly Cmd: readonly string[]
}

describe('The image, built by buildah', () => {
  let lacking: string | null = null
  let config: ImageConfig
  let healthCheck: readonly string[]
  before(
    () => {
      const script = join(import.meta.dirname, 'build-image.sh')
      const built = run('sh', [script, scratch, project, process.execPath])
      if (built.status === cannot) return void (lacking = built.printed)
      assert.equal(built.status, 0, built.printed.slice(-2000))
      const { OCIv1, Docker } = JSON.parse(readFileSync(join(scratch, 'config.json'), 'utf8'))
      config = OCIv1.config
      healthCheck = Docker.config.Healthcheck.Test
    },
    { timeout: 900_000 },
  )

  /** A container as the compose files describe it: a volume, a read-only root, no capabilities. */
  async function container(
    t: TestContext,
    environment: Readonly<Record<string, string>> = {},
  ): Promise<Sandbox> {
    const data = mkdtempSync(join(tmpdir(), 'nuncio-data-'))
    t.after(() => rmSync(data, { recursive: true }))
    chownSync(data, user, user)
    const ofImage = config.Env.map((each): [string, string] => {
      const [name = '', value = ''] = each.split(/=(.*)/)
      return [name, value]
    })
    const port = String(await freePort())
    const env = { ...Object.fromEntries(ofImage), ...environment, NUNCIO_PORT: port }
    return { root, user, binds: { [data]: '/data' }, cwd: config.WorkingDir, env }
  }

  it('has an ordinary user, and no tests and tools', (t) => {
    if (lacking !== null) return t.skip(lacking)

    assert.deepEqual([config.User, config.Cmd], ['node', ['node', 'dist/bin/nuncio.js', 'serve']])
    for (const name of ['test', 'bench', 'packages/client/test', 'node_modules/typescript']) {
      assert.ok(!existsSync(join(root, 'opt/nuncio', name)), name)
    }
  })

  it('runs as deploy/compose.yaml starts it, and knows its health', async (t) => {
    if (lacking !== null) return t.skip(lacking)
    const sandbox = await container(t)
    const [kind, ...check] = healthCheck
    const healthOf = (): number | null => runSandboxed(sandbox, check).status

    const before = healthOf()
    const service = await startSandboxed(t, sandbox, config.Cmd)
    await deliver(service.url)

    assert.deepEqual([kind, before, healthOf()], ['CMD', 1, 0])
    assert.notEqual(runSandboxed(sandbox, ['touch', 'new']).status, 0)
    assert.equal(await service.stop(), 0)
  })

  it('runs as deploy/compose.postgres.yaml starts it, twice over one database', async (t) => {
    const reason = lacking ?? (await noPostgres())
    if (reason !== false) return t.skip(reason)
    await using database = await testDatabase()
    const text = readFileSync(join(project, 'deploy/compose.postgres.yaml'), 'utf8')
    const [{ services }] = documentsIn(text)
    const start = async (name: string) => {
      const { environment } = services[name]
      assert.match(environment.NUNCIO_STORE, /^postgres:/)
      const own = {
        NUNCIO_STORE: database.url,
        NUNCIO_METRICS_ADDRESS: `0.0.0.0:${await freePort()}`,
      }
      return startSandboxed(t, await container(t, own), config.Cmd)
    }

    const one = await start('nuncio-1')
    const other = await start('nuncio-2')
    await deliver(one.url, other.url)

    assert.deepEqual([await one.stop(), await other.stop()], [0, 0])
  })
})
