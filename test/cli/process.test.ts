import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { programIn, project } from '../support/program.ts'
import { answerJson, startServer } from './support/fake-server.ts'
import { keptScreen, type KeptScreen } from './support/fake-surroundings.ts'

const program = programIn(project)
const withFakeApp = [join(import.meta.dirname, 'support', 'serve-fake-app.ts')]

describe('the program', () => {
  it('ends with the exit code of its command, by itself', async (t) => {
    const version = runProgram(t, program, ['version'])
    const unknown = runProgram(t, program, ['srve'])
    const send = 'send --to +4915112345678 --body x --key k --service http://127.0.0.1:1'
    const unreachable = runProgram(t, program, send.split(' '))

    assert.deepEqual(await version.ended, { exitCode: 0, signal: null })
    assert.deepEqual(await unknown.ended, { exitCode: 2, signal: null })
    assert.deepEqual(await unreachable.ended, { exitCode: 1, signal: null })
    assert.match(version.out.text(), /^nuncio \d/)
    assert.match(unknown.err.text(), /Did you mean serve\?/)
  })

  it('stays until a command has done its waiting', async (t) => {
    const server = await startServer(t, (response, _request, index) => {
      const type = index < 3 ? 'SENT' : 'DELIVERED'
      const status = { id: `${type}.null`, type }
      const headers = { connection: 'close' }
      answerJson(response, index === 0 ? 201 : 200, { id: 'message_1', status }, headers)
    })
    const send = `send --to +4915112345678 --body x --key k --service ${server.url}`

    const { ended } = runProgram(t, program, send.split(' '))

    assert.deepEqual(await ended, { exitCode: 0, signal: null })
    assert.equal(server.received.length, 4)
  })

  for (const [name, key] of [
    ['Ctrl-C', '\u0003'],
    ['Ctrl-D', '\u0004'],
  ] as const) {
    const skip = process.platform === 'linux' ? false : 'the command script differs'
    it(`ends at once at ${name} instead of an answer`, { skip }, async (t) => {
      const add = 'carriers add plivo --key k --service http://127.0.0.1:1'
      const line = [process.execPath, ...program, add].join(' ')
      const { type, out, ended } = runCommand(t, 'script', ['-qefc', line, '/dev/null'])
      await out.until(/: /)

      type(key)

      assert.deepEqual(await ended, { exitCode: 130, signal: null })
      assert.equal(out.text().match(/: /g)?.length, 1)
    })
  }

  it('fails if its output cannot be written', { skip: process.platform !== 'linux' }, async (t) => {
    const line = [process.execPath, ...program, 'help', '>', '/dev/full'].join(' ')
    const { err, ended } = runCommand(t, 'sh', ['-c', line])

    assert.deepEqual(await ended, { exitCode: 1, signal: null })
    assert.match(err.text(), /^Standard output cannot be written \(ENOSPC\)/)
  })

  it('serves until SIGTERM, with the welcome on standard output and the log on standard error', async (t) => {
    const { ask, out, err, ended } = runProgram(t, withFakeApp, ['serve', '--port', '0'])
    await out.until(/Ctrl-C/)

    const url = /ready at (\S+)$/m.exec(out.text())?.[1] ?? ''
    const answer = await fetch(url, { headers: { connection: 'close' } })
    ask('SIGTERM')

    assert.equal(await answer.text(), 'here')
    assert.deepEqual(await ended, { exitCode: 0, signal: null })
    const events = err
      .text()
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).event)
    assert.deepEqual(events, ['secrets stored in clear', 'stopping', 'stopped'])
  })

  it('ends at once at a second signal', async (t) => {
    const { ask, out, err, ended } = runProgram(t, withFakeApp, ['serve', '--port', '0'], {
      FAKE_STOP: 'never',
    })
    await out.until(/Ctrl-C/)

    ask('SIGINT')
    await err.until(/stopping/)
    // The same request may come twice, so it takes as many as fit into a quarter of a second.
    const again = setInterval(() => ask('SIGINT'), 20)
    t.after(() => clearInterval(again))

    assert.deepEqual(await ended, { exitCode: null, signal: 'SIGINT' })
  })

  it('names a taken port and the cure, without a stack trace, with exit code 1', async (t) => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    t.after(() => other.close())
    const address = other.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0

    const { err, ended } = runProgram(t, withFakeApp, ['serve', '--port', String(port)])

    assert.deepEqual(await ended, { exitCode: 1, signal: null })
    assert.match(err.text(), new RegExp(`port ${port} on 127\\.0\\.0\\.1 is taken`))
    assert.doesNotMatch(err.text(), /^ +at /m)
  })
})

interface Running {
  readonly out: KeptScreen
  readonly err: KeptScreen
  readonly ask: (signal: NodeJS.Signals) => void
  readonly type: (text: string) => void
  readonly ended: Promise<{ exitCode: number | null; signal: NodeJS.Signals | null }>
}

function runProgram(
  t: TestContext,
  program: readonly string[],
  args: readonly string[],
  environment: Record<string, string> = {},
): Running {
  return runCommand(t, process.execPath, [...program, ...args], environment)
}

function runCommand(
  t: TestContext,
  command: string,
  args: readonly string[],
  environment: Record<string, string> = {},
): Running {
  const env = { PATH: process.env['PATH'], ...environment }
  const child = spawn(command, args, { env, stdio: 'pipe' })
  const [out, err] = [keptScreen(), keptScreen()]
  child.stdout.setEncoding('utf8').on('data', out.write)
  child.stderr.setEncoding('utf8').on('data', err.write)
  t.after(() => child.kill('SIGKILL'))
  return {
    out,
    err,
    ask: (signal) => child.kill(signal),
    type: (text) => child.stdin.write(text),
    ended: once(child, 'close').then(([exitCode, signal]) => ({ exitCode, signal })),
  }
}
