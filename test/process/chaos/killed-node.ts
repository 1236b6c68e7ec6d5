import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { noPostgres, testDatabase } from '../../support/postgres/database.ts'
import {
  addWebhooks,
  headers,
  outcomeOf,
  pause,
  shownOf,
  startFleet,
  startLoad,
  startReceiver,
  type Fleet,
} from '../support/fleet.ts'

const every = 'api,submit,deliver'

/** A node takes another for gone only when it has been there for so long itself. */
const settledMs = 8500

/** What a node that is killed had claimed, leased and in memory is gone on with within this time. */
const takenOverMs = 15_000

/** How many of the newest messages were with a carrier when their node died, and were sent again. */
async function resubmitted(fleet: Fleet): Promise<number> {
  const url = `${fleet.at(1)?.url}/v1/messages?pageSize=1000&fields=history&sort=createdAt_desc`
  const answer = await fetch(url, { headers })
  const messages: { history: { status: string }[] }[] = JSON.parse(await answer.text())
  const isAgain = ({ status }: { status: string }) => status === 'ACCEPTED.RESUBMITTED'
  return messages.filter(({ history }) => history.some(isAgain)).length
}

describe('one of two nodes, killed with -9 under load', { skip: await noPostgres() }, () => {
  it('has all that was with it told within 15 seconds', { timeout: 120_000 }, async (t) => {
    const receiver = await startReceiver(t)
    await using database = await testDatabase()
    const fleet = await startFleet(t, database.url, [every, every])
    await addWebhooks(fleet, receiver, 4)
    const load = startLoad(t, fleet, 16)
    await pause(settledMs)

    await fleet.end(0, 'SIGKILL')
    const killed = performance.now()
    await pause(1000)
    await load.end()
    const leftMs = takenOverMs - (performance.now() - killed)
    const { lost, disordered } = await outcomeOf(load, receiver, leftMs)

    t.diagnostic(
      `${shownOf(load)}, all told ${Math.round(performance.now() - killed)} ms after the kill, ` +
        `lost ${lost.length}, duplicates ${receiver.duplicates()}, ` +
        `sent again ${await resubmitted(fleet)} of the last 1000`,
    )
    assert.deepEqual(lost, [])
    assert.deepEqual(disordered, [])
    await fleet.end(1, 'SIGTERM')
  })
})
