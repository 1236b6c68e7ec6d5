import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { run } from '../../src/cli/run.ts'
import type { DistributionReport } from '../../src/core/ports/distribution.ts'
import { fakeSurroundings } from './support/fake-surroundings.ts'

const worker = { worker: 'worker1:5432', isReached: true, cells: 256, messages: 7, bytes: 4096 }
const sound: DistributionReport = {
  state: 'complete',
  pieces: 32,
  distributed: ['messages'],
  others: ['meta'],
  workers: [worker],
}

describe('nuncio distribute --check', () => {
  for (const [name, report, code] of [
    ['a finished distribution', sound, 0],
    ['a store that is not distributed', { ...sound, state: 'none', workers: [] }, 0],
    ['an unfinished one', { ...sound, state: 'unfinished' }, 1],
    [
      'a worker that does not respond',
      { ...sound, workers: [worker, { ...worker, isReached: false }] },
      1,
    ],
  ] as const) {
    it(`exits with ${code} after ${name}`, async () => {
      const context = fakeSurroundings({ distributeStore: async () => report })

      const ended = await run(['distribute', '--store', 'postgres://n@h/d', '--check'], context)

      assert.equal(ended, code, context.err.text())
      assert.match(context.out.text(), /^(The store|The distribution) is /)
    })
  }
})
