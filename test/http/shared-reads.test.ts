import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { accountId } from '../../src/core/account.ts'
import { position } from '../delivery/support/position.ts'
import { sharedReads } from '../../src/http/notifications/event-stream.ts'

const [ours, theirs] = [accountId('ours'), accountId('theirs')]
const everything = { types: ['SENT'], statuses: ['DELIVERED'] }

/** A log whose end moves when the test says so. */
function movingLog() {
  const asked: string[] = []
  const log = {
    place: position('1'),
    asked,
    end: async (account: string) => {
      asked.push(`end ${account}`)
      return log.place
    },
    read: async (account: string, after: string | null, _: unknown, limit: number) => {
      asked.push(`read ${account} ${after} ${limit}`)
      return []
    },
  }
  return log
}

describe('Reads of the log that event streams share', () => {
  it('are one if the same is asked at the same time, and only then', async () => {
    const log = movingLog()
    const reads = sharedReads(log)

    await Promise.all([reads.end(ours), reads.end(ours), reads.end(theirs)])
    await Promise.all([
      reads.read(ours, position('1'), everything, 4),
      reads.read(ours, position('1'), { ...everything }, 4),
      reads.read(ours, position('2'), everything, 4),
      reads.read(ours, position('1'), everything, 8),
      reads.read(theirs, position('1'), everything, 4),
    ])

    const ends = ['end ours', 'end theirs']
    const parts = ['read ours 1 4', 'read ours 2 4', 'read ours 1 8', 'read theirs 1 4']
    assert.deepEqual(log.asked, [...ends, ...parts])
  })

  it('are not shared once they have begun: they may have missed what was written since', async () => {
    const log = movingLog()
    const reads = sharedReads(log)

    const first = reads.end(ours)
    await Promise.resolve()
    log.place = position('2')
    const second = reads.end(ours)

    assert.deepEqual([await first, await second], ['1', '2'])
  })

  it('fail for all who asked, and for nobody later', async () => {
    const log = movingLog()
    const end = log.end
    log.end = async () => {
      throw new Error('away')
    }
    const reads = sharedReads(log)

    const failed = await Promise.allSettled([reads.end(ours), reads.end(ours)])
    log.end = end

    assert.deepEqual(
      failed.map(({ status }) => status),
      ['rejected', 'rejected'],
    )
    assert.equal(await reads.end(ours), '1')
  })
})
