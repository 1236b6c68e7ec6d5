import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import packageJson from '../../package.json' with { type: 'json' }
import { commands } from '../../src/cli/commands.ts'
import { run } from '../../src/cli/run.ts'
import { clientSettings } from '../../src/config/client-settings.ts'
import { settings } from '../../src/config/settings.ts'
import { fakeSurroundings } from './support/fake-surroundings.ts'

describe('nuncio', () => {
  for (const argv of [[], ['help'], ['--help'], ['-h']]) {
    it(`${argv.join(' ')} lists the commands`.trim(), async () => {
      const surroundings = fakeSurroundings()

      const exitCode = await run(argv, surroundings)

      assert.equal(exitCode, 0)
      for (const { name, summary } of commands) {
        assert.match(
          surroundings.out.text(),
          new RegExp(`^  ${name} +${summary.slice(0, 20)}`, 'm'),
        )
      }
    })
  }

  for (const argv of [['version'], ['--version'], ['-v']]) {
    it(`${argv.join(' ')} shows the version`, async () => {
      const surroundings = fakeSurroundings()

      const exitCode = await run(argv, surroundings)

      assert.equal(exitCode, 0)
      assert.equal(surroundings.out.text(), `nuncio ${packageJson.version}\n`)
    })
  }

  it('refuses an unknown command with exit code 2, and names the nearest', async () => {
    const surroundings = fakeSurroundings()

    const exitCode = await run(['srve', '--port', '1'], surroundings)

    assert.equal(exitCode, 2)
    assert.match(surroundings.err.text(), /Unknown command: srve\. Did you mean serve\?/)
    assert.equal(surroundings.out.text(), '')
  })

  it('refuses a flag before the command', async () => {
    const surroundings = fakeSurroundings()

    const exitCode = await run(['--port', '1', 'serve'], surroundings)

    assert.equal(exitCode, 2)
    assert.match(surroundings.err.text(), /The first argument must be a command: --port/)
  })

  for (const { name } of commands) {
    it(`refuses an unknown flag of ${name} with exit code 2`, async () => {
      const surroundings = fakeSurroundings()

      const exitCode = await run([name, '--quux', '1'], surroundings)

      assert.equal(exitCode, 2)
      assert.match(surroundings.err.text(), /^The flag --quux is unknown\.$/m)
      assert.match(surroundings.err.text(), new RegExp(`"nuncio ${name} --help" lists`))
    })

    it(`shows the same help of ${name} by "help ${name}" and "${name} --help"`, async () => {
      const first = fakeSurroundings()
      const second = fakeSurroundings()

      const exitCodes = [
        await run(['help', name], first),
        await run([name, '--help', '--quux'], second),
      ]

      assert.deepEqual(exitCodes, [0, 0])
      assert.equal(first.out.text(), second.out.text())
      assert.match(first.out.text(), new RegExp(`^Usage: nuncio ${name}`, 'm'))
    })
  }

  it('refuses help on an unknown command', async () => {
    const surroundings = fakeSurroundings()

    assert.equal(await run(['help', 'lisen'], surroundings), 2)
    assert.match(surroundings.err.text(), /Did you mean listen\?/)
  })
})

describe('the help of a command', () => {
  for (const [command, table] of [
    ['serve', settings],
    ['send', clientSettings],
    ['listen', clientSettings],
  ] as const) {
    it(`${command} has every setting, with variable, key, default and meaning`, async () => {
      const surroundings = fakeSurroundings()

      await run([command, '--help'], surroundings)

      const text = surroundings.out.text().replace(/\n {6}/g, ' ')
      for (const { flag, variable, key, description } of Object.values(table)) {
        assert.ok(text.includes(`--${flag} <`))
        assert.ok(
          text.includes(`Variable ${variable};${key === null ? '' : ` key ${key};`} default`),
        )
        assert.ok(text.includes(description), description)
      }
      assert.match(
        text,
        command === 'serve' ? /default 8080$/m : /default http:\/\/127\.0\.0\.1:8080$/m,
      )
    })
  }

  it('fits into a terminal of 80 columns', async () => {
    for (const { name } of commands) {
      const surroundings = fakeSurroundings()
      await run([name, '--help'], surroundings)

      for (const line of surroundings.out.text().split('\n')) assert.ok(line.length <= 80, line)
    }
  })
})
