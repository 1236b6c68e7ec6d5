import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { it } from 'node:test'

const program = new URL('./main.ts', import.meta.url).pathname

/**
 * Short-lived objects are most of what a schedule makes: there is room for those of one, and they are
 * let go of when it is over. Nobody reads where an error was made.
 */
const flags = [
  '--expose-gc',
  '--min-semi-space-size=64',
  '--max-semi-space-size=64',
  '--stack-trace-limit=0',
]

/**
 * Plays the schedules from one seed up to, not including, another. In a process of its own: the test
 * runner follows each promise, which makes them three times as slow. In one: the first hundred take
 * half as long again as the others.
 */
export function playSeeds(first: number, end: number): void {
  it(`loses nothing and keeps the order: seeds ${first} to ${end - 1}`, async (t) => {
    const { code, out } = await run(['--from', String(first), '--count', String(end - first)])

    assert.equal(code, 0, `\n${out}`)
    t.diagnostic(out.trim())
  })
}

function run(args: readonly string[]): Promise<{ readonly code: number; readonly out: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [...flags, program, ...args], (error, out, err) => {
      const code = typeof error?.code === 'number' ? error.code : Number(error !== null)
      resolve({ code, out: `${out}${err}` })
    })
  })
}
