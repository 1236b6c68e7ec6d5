import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { timestamp } from '../../src/core/timestamp.ts'
import { noPostgres } from '../support/postgres/database.ts'
import { fakeCarrier } from './support/fake-carrier.ts'
import { everyStoreKind } from './support/stores.ts'
import { aMessage, openWorld, type World } from './support/world.ts'

const minute = 60_000
const missing = await noPostgres()

for (const kind of everyStoreKind) {
  const skip = kind === 'postgres' && missing
  describe(`a wall clock that was set back before a process starts, over ${kind}`, { skip }, () => {
    it('keeps nothing waiting that another process has accepted', async () => {
      await using world = await openWorld(kind)
      const id = await acceptAndEnd(world)
      const carrier = fakeCarrier()

      world.clock.jump(-60 * minute)
      await world.start([carrier])
      await passes(world, 15_000)

      await world.comesTo(id, 'SENT.null')
      assert.equal(carrier.submitted.length, 1)
    })

    it('keeps nothing waiting that is accepted after it', async () => {
      await using world = await openWorld(kind)
      await acceptAndEnd(world)
      world.clock.jump(-60 * minute)
      await world.start([fakeCarrier()])

      const { id } = await world.post(aMessage())

      await passes(world, 1000)
      await world.comesTo(id, 'SENT.null')
    })

    it('makes nothing come before the time that it is scheduled for', async () => {
      await using world = await openWorld(kind)
      await acceptAndEnd(world)
      world.clock.jump(-60 * minute)
      const carrier = fakeCarrier()
      await world.start([carrier])
      const scheduledAt = timestamp(world.clock.now() + 3 * minute)

      const { id } = await world.post(aMessage({ scheduledAt }))
      await passes(world, 3 * minute - 1000)
      const early = carrier.submitted.filter((message) => message.id === id).length
      await passes(world, 2 * minute)

      assert.equal(early, 0)
      await world.comesTo(id, 'SENT.null')
    })
  })
}

/** A process accepts a message, whose carrier does not take it just now, and ends. */
async function acceptAndEnd(world: World): Promise<string> {
  const busy = { kind: 'BUSY', retryAfterMs: 1000, reason: 'throttled' } as const
  const carrier = fakeCarrier(() => busy)
  const first = await world.start([carrier])
  const { id } = await world.post(aMessage())
  await world.until('the carrier was asked', () => carrier.submitted.length > 0)
  await first[Symbol.asyncDispose]()
  return id
}

/** Time passes in short steps, after each of which a store that is elsewhere has its say. */
async function passes({ clock, notifications }: World, ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= 1000) {
    await clock.advance(Math.min(left, 1000))
    for (let round = 0; round < 4; round += 1) await notifications()
  }
}
