import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { describe, it } from 'node:test'
import { commands } from '../../src/cli/commands.ts'
import { run } from '../../src/cli/run.ts'
import { fakeSurroundings } from './support/fake-surroundings.ts'

/** Returns what the program suggests for the last of the words. */
async function suggested(...words: readonly string[]): Promise<readonly string[]> {
  const surroundings = fakeSurroundings()
  assert.equal(await run(['__complete', ...words], surroundings), 0)
  const lines = surroundings.out.text().split('\n').slice(0, -1)
  return lines.map((line) => line.split('\t')[0] ?? '')
}

describe('the completion of a shell', () => {
  it('suggests every command, and those that begin as the word does', async () => {
    assert.deepEqual(
      await suggested(''),
      commands.map(({ name }) => name),
    )
    assert.deepEqual(await suggested('do'), ['doctor'])
    assert.deepEqual(await suggested('help', 'do'), ['doctor'])
    assert.deepEqual(await suggested('nothing', ''), [])
  })

  it('suggests the words of a command, what follows them, and its flags', async () => {
    assert.deepEqual(await suggested('maintenance', ''), ['on', 'off'])
    assert.deepEqual(await suggested('carriers', 'add', 'tw'), ['twilio'])
    assert.deepEqual(await suggested('carriers', 'add', 'twilio', '--twilio-acc'), [
      '--twilio-account-sid',
    ])
    assert.deepEqual(await suggested('keys', 'create', '--'), [
      '--file',
      '--dry-run',
      '--json',
      '--service',
      '--key',
      '--help',
    ])
    assert.ok((await suggested('keys', 'list', '')).includes('--watch'))
  })

  it('leaves the value of a flag to the shell', async () => {
    assert.deepEqual(await suggested('backup', '--to', ''), [])
    assert.deepEqual(await suggested('listen', '--json', '--for'), ['--forward'])
  })

  it('comes as a script, which asks the program', async () => {
    const surroundings = fakeSurroundings()
    assert.equal(await run(['completion', 'bash'], surroundings), 0)
    const script = `nuncio() { printf 'asked\\tonce\\n%s %s %s\\n' "$@"; }
      ${surroundings.out.text()}
      COMP_WORDS=(nuncio keys li more); COMP_CWORD=2; _nuncio; printf '%s|' "\${COMPREPLY[@]}"`

    assert.equal(execFileSync('bash', ['-c', script]).toString(), 'asked|__complete keys li|')
  })

  it('names a shell that it does not know', async () => {
    const surroundings = fakeSurroundings()

    assert.equal(await run(['completion', 'bsh'], surroundings), 2)
    assert.match(surroundings.err.text(), /^There is no "completion bsh"\. Did you mean bash\?$/m)
  })
})
