import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { describe, it } from 'node:test'
import { builtIn } from '../../src/collections/built-in.ts'
import { messages } from '../../src/collections/messages.ts'
import { accountId } from '../../src/core/account.ts'
import { sqliteStore } from '../../src/stores/sqlite/sqlite-store.ts'
import { programIn, project } from '../support/program.ts'
import { runProgram, temporaryFolder } from '../support/service.ts'
import { noPostgres, testDatabase } from '../support/postgres/database.ts'
import { flushAtOnce } from '../support/flush-at-once.ts'

const count = 20_000
const skip = await noPostgres()

describe('nuncio migrate-store', { skip }, () => {
  it('goes on where it was killed, and the service starts on the target only then', async (t) => {
    const folder = await temporaryFolder(t)
    await using database = await testDatabase()
    await fill(`${folder}/nuncio.db`)
    const args = ['migrate-store', '--from', 'sqlite:nuncio.db', '--to', database.url]

    const killed = await killedAt(args, folder, /Moving: [3-6]0 %/)
    const started = await runProgram(['serve', '--store', database.url], {}, folder)
    const again = await runProgram(args, {}, folder)

    assert.equal(killed, 'SIGKILL')
    assert.equal(started.code, 1)
    assert.match(started.err, /a move from sqlite:nuncio\.db into it is not finished/)
    assert.equal(again.code, 0, again.err)
    assert.match(again.out, /^ {2}c\/messages {2}20,000 {2}[0-9a-f]{16}$/m)
    const [, before = '0'] = /([\d,]+) of them had been moved before/.exec(again.out) ?? []
    assert.ok(Number(before.replaceAll(',', '')) > 5000, again.out)
    assert.doesNotMatch(again.out, /Moving: 0 %/)
  })

  it('says what is wrong with how it was called, all at once', async (t) => {
    const folder = await temporaryFolder(t)

    const { code, err } = await runProgram(['migrate-store', '--from', 'memory:'], {}, folder)

    assert.equal(code, 2)
    assert.match(err, /--from names a store in memory.*\n--to is missing/)
  })
})

/** Runs the program and kills it once it has printed this; gives how it ended. */
function killedAt(
  args: readonly string[],
  cwd: string,
  printed: RegExp,
): Promise<NodeJS.Signals | null> {
  const child = spawn(process.execPath, [...programIn(project), ...args], {
    cwd,
    env: { PATH: process.env['PATH'] ?? '' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let out = ''
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk.toString()
    if (printed.test(out)) child.kill('SIGKILL')
  })
  return new Promise((resolve) => child.once('close', (_, signal) => resolve(signal)))
}

async function fill(file: string): Promise<void> {
  await using store = await sqliteStore(file, builtIn, () => {}, flushAtOnce)
  const ours = accountId('account_default')
  const at = '2026-01-01T00:00:00.000Z'
  await store.transact(async (transaction) => {
    for (let index = 0; index < count; index += 1) {
      const id = `m${index}`
      const message = { id, type: 'SENT', to: '+4915112345678', body: 'hello', createdAt: at }
      await transaction.in(ours).save(messages, { id }, message, null)
    }
  })
}
