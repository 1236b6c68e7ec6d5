import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { Client } from 'pg'
import { accountId } from '../../src/core/account.ts'
import type { Log } from '../../src/core/ports/log.ts'
import type { Store } from '../../src/core/ports/store.ts'
import { sampleCollections } from '../conformance/sample-collections.ts'
import { aNotification, everything } from '../conformance/sample-notifications.ts'
import { noPostgres } from '../support/postgres/database.ts'
import { openPostgres } from '../support/postgres/open-store.ts'
import { virtualClock } from '../support/virtual-clock.ts'

const ours = accountId('ours')
const skip = await noPostgres()
const dayMs = 86_400_000

describe('dropping a day of the log', { skip }, () => {
  it('blocks nobody while a dump reads, is reported, and is done once the dump has ended', async () => {
    const clock = virtualClock()
    const reported: string[] = []
    const log: Log = (level, event) => void reported.push(`${level} ${event}`)
    await using store = await openPostgres(sampleCollections, log, { clock })
    await notify(store, 'old', clock.now())
    const later = clock.now() + 3 * dayMs
    const dump = new Client({ connectionString: store.url })
    await dump.connect()
    await dump.query('begin isolation level repeatable read')
    await dump.query('select count(*) from log')

    const trimming = store.maintain(later - dayMs, 9)
    const slowest = await slowestWhile(trimming, () => notify(store, 'new', later))
    await trimming
    const kept = await messageIds(store)
    await dump.end()
    await store.maintain(later - dayMs, 9)

    assert.ok(slowest < 500, `a notification took ${Math.round(slowest)} ms`)
    assert.equal(kept[0], 'old')
    assert.ok(reported.includes('warn partition not dropped'), reported.join())
    assert.equal((await messageIds(store))[0], 'new')
  })

  it('keeps the numbers of the entries', async () => {
    const clock = virtualClock()
    await using store = await openPostgres(sampleCollections, () => {}, { clock })
    await notify(store, 'old', clock.now())
    const end = await store.log.end(ours)

    await store.maintain(clock.now() + 2 * dayMs, 9)
    const after = await store.log.end(ours)
    await notify(store, 'new', clock.now() + 2 * dayMs)

    assert.deepEqual([after, await messageIds(store)], [end, ['new']])
    assert.equal((await store.log.read(ours, end, everything, 9)).length, 1)
  })
})

function notify(store: Store, messageId: string, at: number): Promise<void> {
  return store.transact((tx) => tx.in(ours).notify(aNotification(messageId, { at })))
}

async function messageIds(store: Store): Promise<readonly string[]> {
  const entries = await store.log.read(ours, null, everything, 999)
  return entries.map(({ messageId }) => messageId)
}

/** Repeats work until something else is done. Returns the longest duration in milliseconds. */
async function slowestWhile(other: Promise<unknown>, work: () => Promise<void>): Promise<number> {
  let isOver = false
  const over = other.finally(() => {
    isOver = true
  })
  let slowest = 0
  while (!isOver) {
    const began = performance.now()
    await work()
    slowest = Math.max(slowest, performance.now() - began)
    await setTimeout(10)
  }
  await over
  return slowest
}
