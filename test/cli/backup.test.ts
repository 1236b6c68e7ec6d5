import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { run } from '../../src/cli/run.ts'
import { fakeSurroundings } from './support/fake-surroundings.ts'

describe('nuncio backup', () => {
  it('copies the file of the store, and shows the progress', async () => {
    const asked: string[] = []
    const context = fakeSurroundings({
      environment: { NUNCIO_STORE: 'sqlite:/srv/nuncio.db' },
      backUp: async (from, to, report) => {
        asked.push(from, to)
        for (const copied of [1, 2, 2, 4]) report({ copied, all: 4 })
      },
    })

    const code = await run(['backup', '--to', 'copy.db'], context)

    assert.equal(code, 0)
    assert.deepEqual(asked, ['/srv/nuncio.db', 'copy.db'])
    assert.equal(
      context.out.text(),
      'Copying: 20 % of 4 pages\nCopying: 50 % of 4 pages\nCopying: 100 % of 4 pages\n' +
        'Copied /srv/nuncio.db to copy.db.\n',
    )
  })

  it('prints the command for PostgreSQL, without the password', async () => {
    const context = fakeSurroundings()
    const store = 'postgres://nuncio:hush@db.example:5433/nuncio?connections=20'

    const code = await run(['backup', '--store', store, '--to', "o'clock.dump"], context)

    assert.equal(code, 0)
    const command = `pg_dump --format=custom --file='o'\\''clock.dump' 'postgres://nuncio@db.example:5433/nuncio'`
    assert.ok(context.out.text().includes(`(umask 077 && ${command})`), context.out.text())
  })

  it('says what is missing or failed', async () => {
    const context = fakeSurroundings({ backUp: () => Promise.reject(new Error('disk full')) })

    const codes = [
      await run(['backup'], context),
      await run(['backup', '--store', 'memory:', '--to', 'copy.db'], context),
      await run(['backup', '--to', 'copy.db'], context),
    ]

    assert.deepEqual(codes, [2, 2, 1])
    assert.match(context.err.text(), /--to is missing/)
    assert.match(context.err.text(), /store in memory/)
    assert.match(context.err.text(), /The store was not copied: disk full\. Check space/)
  })
})
