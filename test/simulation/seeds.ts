import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { it } from 'node:test'

/** So many schedules are one test. */
const together = 500

const program = new URL('./main.ts', import.meta.url).pathname

/**
 * Plays the schedules from one seed up to, not including, another. In processes of their own: the
 * test runner follows each promise, which makes them three times as slow.
 */
export function playSeeds(first: number, end: number): void {
  for (let from = first; from < end; from += together) {
    const count = Math.min(together, end - from)
    it(`loses nothing and keeps the order: seeds ${from} to ${from + count - 1}`, async (t) => {
      const { code, out } = await run(['--from', String(from), '--count', String(count)])

      assert.equal(code, 0, `\n${out}`)
      t.diagnostic(out.trim())
    })
  }
}

function run(args: readonly string[]): Promise<{ readonly code: number; readonly out: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [program, ...args], (error, out, err) => {
      const code = typeof error?.code === 'number' ? error.code : Number(error !== null)
      resolve({ code, out: `${out}${err}` })
    })
  })
}
