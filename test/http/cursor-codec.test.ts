import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { accounts } from '../../src/collections/accounts.ts'
import { accountId } from '../../src/core/account.ts'
import type { LogPosition } from '../../src/core/ports/notification-log.ts'
import { cursorCodecs, type CursorCodec } from '../../src/http/notifications/cursor-codec.ts'
import { startApi } from '../support/api.ts'
import { seededRandom } from '../support/seeded-random.ts'

async function placesOf(t: TestContext, account: string): Promise<CursorCodec> {
  const { store } = await startApi(t)
  return cursorCodecs(store, accounts, seededRandom(1))(accountId(account))
}

const position = (number: number) => String(number) as LogPosition

describe('A place in the notification log', () => {
  it('is opened by the account that it was given to, and by no other', async (t) => {
    const [ours, theirs] = [await placesOf(t, 'ours'), await placesOf(t, 'theirs')]

    const given = ours.encode(position(1234))

    assert.equal(ours.decode(given), '1234')
    assert.equal(theirs.decode(given), null)
  })

  it('is the same each time, and begins at 0', async (t) => {
    const places = await placesOf(t, 'ours')

    assert.equal(places.encode(position(7)), places.encode(position(7)))
    assert.equal(places.decode('0'), '0')
  })

  it('looks new each time where others may have moved it, and is opened all the same', async (t) => {
    const places = await placesOf(t, 'ours')

    const sealed = Array.from({ length: 20 }, () => places.encodeSalted(position(7)))

    assert.equal(new Set(sealed).size, 20)
    assert.deepEqual(new Set(sealed.map(places.decode)), new Set(['7']))
    assert.equal(places.encodeSalted(position(10 ** 15)).length, sealed[0]?.length)
  })

  it('tells nothing of how many there are', async (t) => {
    const places = await placesOf(t, 'ours')

    const sealed = Array.from({ length: 50 }, (_, index) =>
      places.encode(position(10 ** 6 + index)),
    )

    assert.notDeepEqual(sealed, sealed.toSorted())
    assert.equal(places.encode(position(1)).length, places.encode(position(10 ** 15)).length)
    for (const [index, text] of sealed.entries()) {
      assert.doesNotMatch(Buffer.from(text, 'base64url').toString('latin1'), /10000/)
      assert.notEqual(text.slice(0, 8), sealed[index + 1]?.slice(0, 8))
    }
  })

  it('cannot be made up', async (t) => {
    const places = await placesOf(t, 'ours')
    const given = places.encode(position(7))

    for (const text of [
      '',
      '1',
      '7',
      'x'.repeat(54),
      `${given}A`,
      given.slice(1),
      given.slice(0, -1),
      `${given}=`,
      given.replace(/^./, (first) => (first === 'A' ? 'B' : 'A')),
      given.replace(/.{3}$/, 'AAA'),
    ]) {
      assert.equal(places.decode(text), null, text)
    }
  })
})
