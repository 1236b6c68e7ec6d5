import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { memoryDuplicates, type DuplicateStore, type NotificationRecord } from '../src/index.ts'
import { aReceiver } from './support/a-receiver.ts'
import { received, sent, signed } from './support/signed.ts'

describe('A receiver with a duplicate store', () => {
  it('handles an array once, however often it is sent', async () => {
    const { receive, handled } = aReceiver({ duplicates: memoryDuplicates() })

    const answers = [await receive(signed([sent()])), await receive(signed([sent()]))]

    assert.deepEqual(
      answers.map(({ status }) => status),
      [204, 204],
    )
    assert.deepEqual(handled, [sent()])
  })

  it('looks an array up by its webhook-id, and asks for no record of it then', async () => {
    const asked: string[] = []
    const memory = memoryDuplicates()
    const duplicates: DuplicateStore = {
      ...memory,
      seen: (key) => {
        asked.push(key)
        return memory.seen(key)
      },
    }
    const { receive } = aReceiver({ duplicates })
    await receive(signed([sent(), received()]))
    asked.length = 0

    await receive(signed([sent(), received()]))

    assert.equal(asked.length, 1)
    assert.match(asked[0] ?? '', /^\["webhook-id","msg_1",/)
  })

  it('knows a record again in an array with another webhook-id', async () => {
    const { receive, handled } = aReceiver({ duplicates: memoryDuplicates() })

    await receive(signed([sent(), received()], { id: 'msg_1' }))
    await receive(signed([received(), sent({ id: 'new' })], { id: 'msg_2' }))

    assert.deepEqual(handled, [sent(), received(), sent({ id: 'new' })])
  })

  it('loses nothing where two arrays come under one webhook-id', async () => {
    const { receive, handled } = aReceiver({ duplicates: memoryDuplicates() })

    await receive(signed([sent({ id: 'a' })], { id: 'msg_1' }))
    await receive(signed([sent({ id: 'b' })], { id: 'msg_1' }))

    assert.deepEqual(handled, [sent({ id: 'a' }), sent({ id: 'b' })])
  })

  it('handles each status of a message, which is notified of once for each', async () => {
    const unknown = sent({ status: { id: 'UNKNOWN.null', type: 'UNKNOWN' } })
    const answer = received({ id: sent().id, status: sent().status })
    const { receive, handled } = aReceiver({ duplicates: memoryDuplicates() })

    await receive(signed([unknown], { id: 'msg_1' }))
    await receive(signed([sent()], { id: 'msg_2' }))
    await receive(signed([answer], { id: 'msg_3' }))

    assert.deepEqual(handled, [unknown, sent(), answer])
  })

  it('handles a repeated record of an array once, and one without a status', async () => {
    const bare = { id: 'a', type: 'SENT', to: '+49151', body: '' }
    const { receive, handled } = aReceiver({ duplicates: memoryDuplicates() })

    const answer = await receive(signed([sent(), sent(), bare, { ...bare, status: null }]))

    assert.equal(answer.status, 204)
    assert.deepEqual(handled, [sent(), bare])
  })

  it('does the failed record and those after it again, and not those before it', async () => {
    const { handler, calls } = failingOnce('b')
    const { receive } = aReceiver({ SENT: handler, duplicates: memoryDuplicates() })
    const array = [sent({ id: 'a' }), sent({ id: 'b' }), sent({ id: 'c' })]

    const first = await receive(signed(array))
    const second = await receive(signed(array))

    assert.deepEqual([first.status, second.status], [500, 204])
    assert.deepEqual(calls, ['a', 'b', 'b', 'c'])
  })

  it('shares one run among requests that overlap', async () => {
    const gate = Promise.withResolvers<void>()
    const { receive } = aReceiver({
      duplicates: memoryDuplicates(),
      SENT: ({ id }) => {
        calls.push(id)
        return gate.promise
      },
    })
    const calls: string[] = []

    const answers = [
      receive(signed([sent()], { id: 'msg_1' })),
      receive(signed([sent()], { id: 'msg_1' })),
      receive(signed([sent()], { id: 'msg_2' })),
    ]
    gate.resolve()

    assert.deepEqual(
      (await Promise.all(answers)).map(({ status }) => status),
      [204, 204, 204],
    )
    assert.deepEqual(calls, ['message_2'])
  })

  it('answers 500 where the store fails, before the handler is called', async () => {
    const duplicates = { seen: () => Promise.reject(new Error('no database')), remember: () => {} }
    const { receive, handled, errors } = aReceiver({ duplicates })

    const answer = await receive(signed([sent()]))

    assert.equal(answer.status, 500)
    assert.deepEqual(handled, [])
    assert.match(String(errors[0]?.cause), /no database/)
  })

  it('handles again what it could not remember', async () => {
    const memory = memoryDuplicates()
    const remember = [() => Promise.reject(new Error('full'))]
    const duplicates: DuplicateStore = {
      seen: memory.seen,
      remember: (key) => (remember.pop() ?? memory.remember)(key),
    }
    const { receive, handled } = aReceiver({ duplicates })

    const statuses = [await receive(signed([sent()])), await receive(signed([sent()]))]

    assert.deepEqual(
      statuses.map(({ status }) => status),
      [500, 204],
    )
    assert.deepEqual(handled, [sent(), sent()])
  })
})

describe('The store in memory', () => {
  it('forgets the oldest keys beyond its bound', () => {
    const store = memoryDuplicates({ keysMax: 2 })

    for (const key of ['a', 'b', 'b', 'c']) store.remember(key)

    assert.deepEqual(
      ['a', 'b', 'c'].map((key) => store.seen(key)),
      [false, true, true],
    )
  })
})

/** A handler that fails on the record `id`, the first time. */
function failingOnce(id: string) {
  const calls: string[] = []
  const handler = (record: NotificationRecord) => {
    calls.push(record.id)
    if (record.id === id && calls.filter((call) => call === id).length === 1) throw new Error('no')
  }
  return { handler, calls }
}
