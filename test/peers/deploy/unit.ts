import assert from 'node:assert/strict'
import { chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import { hasProgram } from '../../docs/support/reader.ts'
import { freePort } from '../../support/free-ports.ts'
import { deliver, startSandboxed } from './sandbox.ts'
import { project } from './tools.ts'

/** A user of nobody, as `DynamicUser=` takes one. */
const dynamicUser = 61_184

const lacking =
  process.getuid?.() !== 0
    ? 'this takes root'
    : !hasProgram('unshare') && 'unshare is not on this machine'

it(
  'The command of the unit runs on read-only files, as another user',
  { skip: lacking },
  async (t) => {
    const unit = readFileSync(join(project, 'deploy/nuncio.service'), 'utf8')
    const valueOf = (name: string): string =>
      new RegExp(`^${name}=(.*)$`, 'm').exec(unit)?.[1] ?? assert.fail(name)
    const folder = mkdtempSync(join(tmpdir(), 'nuncio-unit-'))
    t.after(() => rmSync(folder, { recursive: true }))
    const state = join(folder, 'state')
    mkdirSync(state, { mode: 0o700 })
    chownSync(state, dynamicUser, dynamicUser)
    const [variable = '', value = ''] = valueOf('Environment').split(/=(.*)/)
    const sandbox = {
      root: '/',
      user: dynamicUser,
      binds: { [project]: '/opt/nuncio', [state]: `/var/lib/${valueOf('StateDirectory')}` },
      cwd: valueOf('WorkingDirectory'),
      env: { [variable]: value, NUNCIO_PORT: String(await freePort()) },
    }

    const service = await startSandboxed(t, sandbox, valueOf('ExecStart').split(' '))
    await deliver(service.url)

    assert.equal(await service.stop(), 0)
  },
)
