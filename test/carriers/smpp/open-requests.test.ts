import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Pdu } from '../../../src/carriers/smpp/pdus/pdu.ts'
import { openRequests, type PduResponse } from '../../../src/carriers/smpp/session/channel.ts'
import { virtualClock } from '../../support/virtual-clock.ts'

const timeoutMs = 5000

function start() {
  const clock = virtualClock()
  const timeouts: number[] = []
  const onTimeout = (): void => void timeouts.push(clock.monotonic())
  const requests = openRequests({ clock, timeoutMs, onTimeout })
  const answers: PduResponse[] = []
  const add = (): number => requests.add('enquire_link_resp', (answer) => void answers.push(answer))
  return { clock, requests, answers, timeouts, add }
}

function response(sequence: number, command: Pdu['command'] = 'enquire_link_resp'): Pdu {
  return { command, status: 0, sequence, body: {}, tlvs: new Map() } as Pdu
}

describe('a request that is open', () => {
  it('takes the answer with its number, or that it was not understood, once', () => {
    const { requests, answers, add } = start()
    const [first, second] = [add(), add()]

    const taken = [
      requests.answer(response(second)),
      requests.answer(response(first, 'generic_nack')),
      requests.answer(response(second)),
    ]

    assert.deepEqual(taken, [true, true, false])
    assert.deepEqual(
      answers.map((answer) => answer.kind === 'ANSWERED' && answer.pdu.sequence),
      [second, first],
    )
    assert.equal(requests.size, 0)
  })

  it('is not answered by what belongs to no request, or by another command', () => {
    const { requests, answers, add } = start()
    const sequence = add()

    const taken = [
      requests.answer(response(sequence + 1)),
      requests.answer(response(0, 'generic_nack')),
      requests.answer(response(sequence, 'unbind_resp')),
    ]

    assert.deepEqual(taken, [false, false, false])
    assert.deepEqual([answers, requests.size], [[], 1])
  })

  it('is given up at its time, not before, and takes an answer that is late', async () => {
    const { clock, requests, answers, timeouts, add } = start()
    const first = add()
    await clock.advance(2000)
    add()

    await clock.advance(timeoutMs - 2001)
    const before = answers.length
    await clock.advance(1)
    const then = [answers.length, requests.size]
    await clock.advance(2000)
    const late = [requests.answer(response(first)), requests.answer(response(first))]

    assert.deepEqual([before, then, timeouts], [0, [1, 1], [timeoutMs, timeoutMs + 2000]])
    assert.deepEqual(late, [true, false])
    assert.deepEqual(
      answers.map(({ kind }) => kind),
      ['UNANSWERED', 'UNANSWERED', 'ANSWERED'],
    )
  })

  it('gets a number that no other has, late ones included', async () => {
    const { clock, add } = start()

    const numbers = Array.from({ length: 10 }, add)
    await clock.advance(timeoutMs)
    numbers.push(add(), add())

    assert.equal(new Set(numbers).size, numbers.length)
    assert.equal(numbers[0], 1)
  })

  it('ends unanswered with its link, which leaves no timer', async () => {
    const { clock, requests, answers, timeouts, add } = start()
    const late = add()
    await clock.advance(timeoutMs)
    add()

    requests.end('the link was lost')
    const taken = requests.answer(response(late))
    await clock.advance(2 * timeoutMs)

    assert.deepEqual(answers.at(-1), { kind: 'UNANSWERED', reason: 'the link was lost' })
    assert.deepEqual([taken, answers.length, timeouts.length], [false, 2, 1])
    assert.equal(clock.waiting(), 0)
  })
})
