import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { noOwnPostgres, ownPostgres } from '../../support/postgres/database.ts'
import {
  addWebhooks,
  outcomeOf,
  pause,
  shownOf,
  startFleet,
  startLoad,
  startReceiver,
  type Fleet,
} from '../support/fleet.ts'

/** Seconds of load; `npm run chaos:nodes` takes more, and strikes again and again. */
const seconds = Number(process.env['CHAOS_NODES_SECONDS'] ?? 0)

const every = 'api,submit,deliver'
const rolesOf = [every, every, every]

/** Longer than a lease. */
const pausedMs = seconds > 0 ? 12_000 : 9500

const strikes = {
  async kill(fleet: Fleet, place: number) {
    await fleet.end(place, 'SIGKILL')
    await pause(1000)
    // The server may be ended at the same time: then a start is refused.
    for (let isUp = false; !isUp;) {
      isUp = await fleet.start(place).then(
        () => true,
        () => false,
      )
    }
  },
  async pause(fleet: Fleet, place: number) {
    fleet.at(place)?.process.kill('SIGSTOP')
    await pause(pausedMs)
    fleet.at(place)?.process.kill('SIGCONT')
  },
  async restart() {
    const server = await ownPostgres()
    if (typeof server !== 'string') await server.restart()
  },
}

/** A second of peace, then a node is paused while another is killed and the server ends. */
async function strikeBriefly(fleet: Fleet): Promise<void> {
  await pause(1000)
  const paused = strikes.pause(fleet, 0)
  await pause(1000)
  await strikes.kill(fleet, 1)
  await strikes.restart()
  await paused
}

/** Something every ten seconds, in turns, to one node after the other. */
async function strikeAgain(t: TestContext, fleet: Fleet): Promise<void> {
  const open: Promise<void>[] = []
  const kinds = ['kill', 'pause', 'restart'] as const
  for (let at = 0; at < Math.floor(seconds / 10); at += 1) {
    const kind = kinds[at % kinds.length] ?? 'kill'
    const place = Math.floor(at / 2) % fleet.size
    t.diagnostic(`${at * 10} s: ${kind}${kind === 'restart' ? '' : ` node ${place}`}`)
    open.push(strikes[kind](fleet, place))
    await pause(10_000)
  }
  await Promise.all(open)
}

describe(
  'three nodes on one PostgreSQL, one killed, one paused past its leases, the server ended',
  { skip: await noOwnPostgres() },
  () => {
    it('lose nothing, and keep the order of each webhook', { timeout: 900_000 }, async (t) => {
      const receiver = await startReceiver(t)
      const server = await ownPostgres()
      if (typeof server === 'string') throw new Error(server)
      await using database = await server.database()
      const fleet = await startFleet(t, database.url, rolesOf)
      await addWebhooks(fleet, receiver, 6)
      const load = startLoad(t, fleet, seconds > 0 ? 6 : 3)

      await (seconds > 0 ? strikeAgain(t, fleet) : strikeBriefly(fleet))
      await load.end()
      const began = performance.now()
      const { lost, disordered } = await outcomeOf(load, receiver, seconds > 0 ? 180_000 : 30_000)

      t.diagnostic(
        `${shownOf(load)}, lost ${lost.length}, records ${receiver.records()}, ` +
          `duplicates ${receiver.duplicates()}, order violations ${disordered.length}, ` +
          `all told ${Math.round(performance.now() - began)} ms after the last`,
      )
      assert.ok(load.accepted.size > 0)
      assert.deepEqual(lost, [])
      assert.deepEqual(disordered, [])
      for (let place = 0; place < fleet.size; place += 1) await fleet.end(place, 'SIGTERM')
    })
  },
)
