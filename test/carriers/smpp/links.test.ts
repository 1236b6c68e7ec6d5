import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { statuses } from '../../../src/carriers/smpp/pdus/pdu.ts'
import { openBench, type Bench } from './support/carrier.ts'
import type { Session } from './support/smsc.ts'

/** Lets a second pass, and the network work. */
async function second(bench: Bench): Promise<void> {
  await bench.clock.advance(1000)
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}

describe('a link', () => {
  it('comes back soon each time if the SMSC closes it after some messages', async () => {
    const answered = new Map<Session, number>()
    await using bench = await openBench({
      settings: { window: 1 },
      behaviour: {
        onSubmit: (_, session) => {
          const count = (answered.get(session) ?? 0) + 1
          answered.set(session, count)
          if (count === 3) setImmediate(() => session.socket.end())
          return { status: 0, messageId: `${answered.size}-${count}` }
        },
      },
    })

    let seconds = 0
    for (let round = 0; round < 8; round += 1) {
      for (let part = 0; part < 3; part += 1) await bench.submit({ id: `m${round}-${part}` })
      await bench.until('it is lost', () => bench.carrier.condition().state !== 'BOUND')
      while (bench.carrier.condition().state !== 'BOUND') {
        await second(bench)
        seconds += 1
      }
    }

    assert.equal(bench.smsc.submitted.length, 24)
    assert.ok(seconds <= 24, `${seconds} s for 8 links`)
  })

  it('is bound if the SMSC answers each bind as that of a transmitter', async () => {
    await using bench = await openBench({
      behaviour: {
        onBind: (bind, session) => {
          const body = { system_id: 'OsmoMSC' }
          const { sequence } = bind
          session.send({
            command: 'bind_transmitter_resp',
            status: 0,
            sequence,
            body,
            tlvs: new Map(),
          })
          return null
        },
      },
    })

    const outcome = await bench.submit()

    assert.equal(outcome.kind, 'SUBMITTED')
    assert.match(String(bench.logged), /bind_transmitter_resp to bind_transceiver/)
  })
})

describe('a carrier', () => {
  it('sends if its receiver cannot bind, and says what it lacks', async () => {
    await using bench = await openBench({
      settings: { bind: 'SEPARATE' },
      behaviour: {
        onBind: ({ command }) => (command === 'bind_receiver' ? statuses.ESME_RBINDFAIL : 0),
      },
    })
    await bench.until('the receiver was refused', () =>
      bench.logged.some((line) => /lost/.test(line)),
    )

    const outcome = await bench.submit()

    assert.equal(outcome.kind, 'SUBMITTED')
    const { state, stateReason } = bench.carrier.condition()
    assert.equal(state, 'BOUND')
    assert.match(stateReason ?? '', /^No receiver is bound/)
  })

  it('binds a transmitter only', async () => {
    await using bench = await openBench({ settings: { bind: 'TRANSMITTER' } })

    const outcome = await bench.submit()

    assert.equal(outcome.kind, 'SUBMITTED')
    assert.deepEqual(
      bench.smsc.sessions.map(({ boundWith }) => boundWith),
      ['bind_transmitter'],
    )
    assert.equal(bench.carrier.condition().stateReason, null)
  })

  it('binds a receiver only, and refuses a message that names it', async () => {
    await using bench = await openBench({ settings: { bind: 'RECEIVER' } })

    const outcome = await bench.submit()

    assert.deepEqual(outcome, { kind: 'REJECTED', detail: 'NOT_SENT' })
    assert.deepEqual(
      bench.smsc.sessions.map(({ boundWith }) => boundWith),
      ['bind_receiver'],
    )
  })
})
