import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { progressOf } from '../../src/cli/progress.ts'
import { run } from '../../src/cli/run.ts'
import { fakeSurroundings } from './support/fake-surroundings.ts'

const terminal = { terminal: true, columns: 60, write: () => {} }

describe('the progress of long work', () => {
  it('is a bar on a terminal, after the first second and at most each 100 ms', () => {
    const context = fakeSurroundings({ out: terminal })
    const progress = progressOf(context)
    const step = { doing: 'Moving', all: 1_000, unit: 'rows', subject: 'messages_of_the_account' }

    progress.report({ ...step, done: 0 })
    context.clock.pass(999)
    progress.report({ ...step, done: 100 })
    assert.equal(context.out.text(), '')
    context.clock.pass(1)
    progress.report({ ...step, done: 500 })
    context.clock.pass(50)
    progress.report({ ...step, done: 600 })
    progress.report({ ...step, subject: '', done: 1_000 })
    progress.end()

    assert.equal(
      context.out.text(),
      '\rMoving ████████████░░░░░░░░░░░░ 50 %, 500 rows/s, messages_\u001b[K' +
        '\rMoving ████████████████████████ 100 %, 952 rows/s\u001b[K\n',
    )
  })

  it('is not shown on a terminal for work of less than a second', async () => {
    const context = fakeSurroundings({
      out: terminal,
      backUp: async (_from, _to, report) => report({ copied: 4, all: 4 }),
    })

    assert.equal(await run(['backup', '--to', 'copy.db'], context), 0)
    assert.equal(context.out.text(), 'Copied ./data/nuncio.db to copy.db.\n')
  })

  it('shows the tables that are distributed', async () => {
    const context = fakeSurroundings({
      distributeStore: async (_wanted, report) => {
        for (const done of [0, 1, 2]) report({ table: 'messages', done, all: 2 })
        return { state: 'complete', pieces: 32, distributed: ['messages'], others: [], workers: [] }
      },
    })

    const code = await run(['distribute', '--store', 'postgres://n@h/d'], context)

    assert.equal(code, 0, context.err.text())
    assert.match(
      context.out.text(),
      /^Distributing: 0 % of 2 tables\nDistributing: 50 % of 2 tables\nDistributing: 100 % of 2 tables\nThe store is/,
    )
  })
})
