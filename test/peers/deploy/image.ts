import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { freePort } from '../../support/free-ports.ts'
import { project, run } from './tools.ts'

/** Here the base and the layers stay for the next run. */
const scratch = join(tmpdir(), 'nuncio-image')

/** The exit code of `build-image.sh` if this machine cannot build. */
const cannot = 3

describe('The image, built by buildah', () => {
  it('runs as an ordinary user, without tests and tools', { timeout: 900_000 }, async (t) => {
    const script = join(import.meta.dirname, 'build-image.sh')
    const built = run('sh', [script, scratch, project, process.execPath])
    if (built.status === cannot) return t.skip(built.printed)
    assert.equal(built.status, 0, built.printed.slice(-2000))

    const { OCIv1 } = JSON.parse(readFileSync(join(scratch, 'config.json'), 'utf8'))
    assert.deepEqual(
      [OCIv1.config.User, OCIv1.config.Cmd],
      ['node', ['node', 'dist/bin/nuncio.js', 'serve']],
    )
    const root = join(scratch, 'image')
    for (const name of ['test', 'bench', 'packages/client/test', 'node_modules/typescript']) {
      assert.ok(!existsSync(join(root, 'opt/nuncio', name)), name)
    }

    const port = await freePort()
    const start = 'cd /opt/nuncio && exec /usr/local/bin/node dist/bin/nuncio.js serve'
    const child = spawn('chroot', ['--userspec=1000:1000', root, 'sh', '-c', start], {
      env: {
        PATH: process.env['PATH'],
        NUNCIO_PORT: String(port),
        NUNCIO_STORE: 'sqlite:/data/nuncio.db',
        NUNCIO_ADMIN_KEY: `nuncio_${'administrator'.repeat(3)}`,
      },
      stdio: 'ignore',
    })
    t.after(() => child.kill('SIGKILL'))
    assert.equal(await readyStatus(port), 200)
    child.kill('SIGTERM')
    const [code] = await once(child, 'exit')
    assert.equal(code, 0)
  })
})

async function readyStatus(port: number): Promise<number> {
  for (let tries = 0; tries < 200; tries += 1) {
    const status = await fetch(`http://127.0.0.1:${port}/health/ready`).then(
      (response) => response.status,
      () => 0,
    )
    if (status === 200) return status
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  return 0
}
