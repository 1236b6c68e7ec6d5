import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { accountId } from '../../src/core/account.ts'
import { largePages } from '../../src/engine/large-pages.ts'
import { Problem } from '../../src/core/problem.ts'

const ours = accountId('ours')
const theirs = accountId('theirs')

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}

describe('Large pages', () => {
  it('begin some turns after another, so that what else has come is dealt with between them', async () => {
    const makePage = largePages()
    const done: string[] = []
    const page = (name: string) => makePage(ours, 1000, async () => void done.push(name))

    const pages = [page('one'), page('two'), page('three')]
    const other = turns(100).then(() => done.push('other'))
    await Promise.all([...pages, other])

    assert.deepEqual(done, ['one', 'other', 'two', 'three'])
  })

  it('do not keep a small one waiting', async () => {
    const makePage = largePages()
    const done: string[] = []

    const large = makePage(ours, 101, async () => void done.push('large'))
    await makePage(ours, 100, async () => void done.push('small'))
    await large

    assert.deepEqual(done, ['small', 'large'])
  })

  it('leave room for other accounts: eight small ones of an account begin in a turn', async () => {
    const makePage = largePages()
    const done: string[] = []
    const page = (account: typeof ours, name: string) =>
      makePage(account, 100, async () => void done.push(name))

    const own = Array.from({ length: 20 }, () => page(ours, 'ours'))
    const other = page(theirs, 'theirs')
    await other
    const first = [...done]
    await turns(1)
    const second = done.length
    await Promise.all(own)

    assert.deepEqual(first, [...Array.from({ length: 8 }, () => 'ours'), 'theirs'])
    assert.equal(second, 17)
    assert.equal(done.length, 21)
  })

  it('go on behind those that failed, and wait while two of an account are under way', async () => {
    const makePage = largePages()
    const held = Promise.withResolvers<void>()
    let begun = 0
    const page = () =>
      makePage(ours, 1000, async () => {
        begun += 1
        await held.promise
        throw new Error('the store is gone')
      })

    const pages = Promise.allSettled(Array.from({ length: 6 }, page))
    await turns(1000)
    const before = begun
    held.resolve()
    const outcomes = await pages

    assert.deepEqual([before, begun], [2, 6])
    assert.equal(
      outcomes.every(({ status }) => status === 'rejected'),
      true,
    )
  })

  it('take turns by account', async () => {
    const makePage = largePages()
    const done: string[] = []

    const own = [1, 2, 3].map((count) =>
      makePage(ours, 1000, async () => void done.push(`ours ${count}`)),
    )
    const other = makePage(theirs, 1000, async () => void done.push('theirs'))
    await Promise.all([...own, other])

    assert.deepEqual(done, ['ours 1', 'theirs', 'ours 2', 'ours 3'])
  })

  it('are not built for an account without room', async () => {
    const makePage = largePages(() => {
      throw new Problem('too-many-requests', 'No room.')
    })
    let built = 0
    const make = async () => void (built += 1)

    await assert.rejects(makePage(ours, 1000, make), { problem: 'too-many-requests' })
    await assert.rejects(makePage(ours, 10, make), { problem: 'too-many-requests' })
    assert.equal(built, 0)
  })

  it('are refused where a thousand of an account wait', async () => {
    const makePage = largePages()

    const waiting = Array.from({ length: 1000 }, () => makePage(ours, 1000, async () => {}))
    const refused = makePage(ours, 1000, async () => {})

    await assert.rejects(refused, (error) => {
      assert.ok(error instanceof Problem)
      assert.deepEqual([error.problem, error.headers['retry-after']], ['unavailable', '1'])
      return true
    })
    await makePage(theirs, 1000, async () => {})
    await Promise.all(waiting)
  })
})
