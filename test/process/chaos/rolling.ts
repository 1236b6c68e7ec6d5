import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { noPostgres, testDatabase } from '../../support/postgres/database.ts'
import { temporaryFolder } from '../../support/service.ts'
import {
  addWebhooks,
  outcomeOf,
  pause,
  shownOf,
  startFleet,
  startLoad,
  startReceiver,
} from '../support/fleet.ts'

/** The commit that this one takes the place of; `npm run chaos:rolling` names one. */
const before = process.env['ROLLING_FROM']
const every = 'api,submit,deliver'

const project = new URL('../../../', import.meta.url).pathname

/** The project as it was at a commit, beside this one; it goes with the test. */
async function checkedOut(t: TestContext, commit: string): Promise<string> {
  const folder = join(await temporaryFolder(t), 'before')
  const git = (...args: readonly string[]) => execFileSync('git', ['-C', project, ...args])
  git('worktree', 'add', '--detach', folder, commit)
  t.after(() => git('worktree', 'remove', '--force', folder))
  symlinkSync(join(project, 'node_modules'), join(folder, 'node_modules'))
  return folder
}

describe(
  'an upgrade while the service runs',
  {
    skip: before === undefined ? 'npm run chaos:rolling tries it' : await noPostgres(),
  },
  () => {
    it(
      'loses nothing: a node of this commit starts beside one of the commit before, which then ends',
      { timeout: 600_000 },
      async (t) => {
        const receiver = await startReceiver(t)
        await using database = await testDatabase()
        const projects = { 0: await checkedOut(t, before ?? '') }
        const fleet = await startFleet(t, database.url, [every, every], projects, 1)
        await addWebhooks(fleet, receiver, 4)
        const load = startLoad(t, fleet, 8)

        await pause(3000)
        await fleet.start(1)
        await pause(10_000)
        await fleet.end(0, 'SIGTERM')
        await pause(3000)
        await load.end()
        const { lost, disordered } = await outcomeOf(load, receiver, 60_000)

        t.diagnostic(
          `${shownOf(load)}, lost ${lost.length}, duplicates ${receiver.duplicates()}, ` +
            `order violations ${disordered.length}`,
        )
        assert.deepEqual(lost, [])
        assert.deepEqual(disordered, [])
        assert.deepEqual([...load.answers.keys()], ['201'])
        await fleet.end(1, 'SIGTERM')
      },
    )
  },
)
