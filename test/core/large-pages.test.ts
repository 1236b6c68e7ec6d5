import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { largePages } from '../../src/core/declaration/large-pages.ts'
import { Problem } from '../../src/core/problem.ts'

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}

describe('Large pages', () => {
  it('begin some turns after another, so that what else has come is dealt with between them', async () => {
    const makePage = largePages()
    const done: string[] = []
    const page = (name: string) => makePage(1000, async () => void done.push(name))

    const pages = [page('one'), page('two'), page('three')]
    const other = turns(100).then(() => done.push('other'))
    await Promise.all([...pages, other])

    assert.deepEqual(done, ['one', 'other', 'two', 'three'])
  })

  it('do not keep a small one waiting', async () => {
    const makePage = largePages()
    const done: string[] = []

    const large = makePage(101, async () => void done.push('large'))
    await makePage(100, async () => void done.push('small'))
    await large

    assert.deepEqual(done, ['small', 'large'])
  })

  it('go on behind those that failed, and wait while four are under way', async () => {
    const makePage = largePages()
    const held = Promise.withResolvers<void>()
    let begun = 0
    const page = () =>
      makePage(1000, async () => {
        begun += 1
        await held.promise
        throw new Error('the store is gone')
      })

    const pages = Promise.allSettled(Array.from({ length: 6 }, page))
    await turns(1000)
    const before = begun
    held.resolve()
    const outcomes = await pages

    assert.deepEqual([before, begun], [4, 6])
    assert.equal(
      outcomes.every(({ status }) => status === 'rejected'),
      true,
    )
  })

  it('are refused where a thousand wait', async () => {
    const makePage = largePages()

    const waiting = Array.from({ length: 1000 }, () => makePage(1000, async () => {}))
    const refused = makePage(1000, async () => {})

    await assert.rejects(refused, (error) => {
      assert.ok(error instanceof Problem)
      assert.deepEqual([error.problem, error.headers['retry-after']], ['unavailable', '1'])
      return true
    })
    await Promise.all(waiting)
  })
})
