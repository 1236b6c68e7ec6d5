import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Clock } from '../../../src/core/ports/clock.ts'
import { type Pdu, statuses } from '../../../src/carriers/smpp/pdus/pdu.ts'
import { submitMeanings, submitPart } from '../../../src/carriers/smpp/submit-message.ts'
import type { Link } from '../../../src/carriers/smpp/session/link.ts'
import type { PduResponse } from '../../../src/carriers/smpp/session/channel.ts'
import { sendQueue } from '../../../src/carriers/smpp/session/send-queue.ts'
import { Throttle } from '../../../src/carriers/smpp/session/throttle.ts'
import { seededRandom } from '../../support/seeded-random.ts'
import { virtualClock } from '../../support/virtual-clock.ts'
import { perBucket, perWindow, type Admission } from './support/throttling-peer.ts'

const kinds: readonly (readonly [string, (perSecond: number, clock: Clock) => Admission])[] = [
  ['counts by the second', perWindow],
  ['fills a bucket of a second', (perSecond, clock) => perBucket(perSecond, 1000, clock)],
  ['fills a bucket of 100 ms', (perSecond, clock) => perBucket(perSecond, 100, clock)],
]

/** Unacknowledged parts; twice as many wait. */
const window = 50

/** Time of a response, in milliseconds. */
const responseMs = 5

/** A link whose SMSC accepts what `admits` says. */
function linkTo(admits: Admission, clock: Clock, onAnswer: (accepted: boolean) => void): Link {
  let inFlight = 0
  return {
    role: 'transceiver',
    isBound: true,
    hasProgressed: false,
    get inFlight() {
      return inFlight
    },
    submit: (_, answer) => {
      inFlight += 1
      const isAccepted = admits()
      clock.after(responseMs, () => {
        inFlight -= 1
        onAnswer(isAccepted)
        answer({ kind: 'ANSWERED', pdu: responseWith(isAccepted) } satisfies PduResponse)
      })
    },
    close: async () => {},
  }
}

function responseWith(isAccepted: boolean): Pdu {
  const status = isAccepted ? 0 : statuses.ESME_RTHROTTLED
  const body = { message_id: '1' }
  return { command: 'submit_sm_resp', status, sequence: 1, body, tlvs: new Map() }
}

/** Sends as much as possible for some seconds; returns the accepted and the refused parts. */
async function sendFor(
  seconds: number,
  peer: (clock: Clock) => Admission,
): Promise<{ readonly accepted: number; readonly refused: number }> {
  const clock = virtualClock(undefined, 3)
  const throttle = new Throttle(clock, seededRandom(1))
  const counts = { accepted: 0, refused: 0 }
  const link = linkTo(peer(clock), clock, (isAccepted) => {
    counts[isAccepted ? 'accepted' : 'refused'] += 1
  })
  const queue = sendQueue({
    clock,
    settings: { window, partsPerSecond: null },
    throttle,
    links: { submitting: [link], downReason: null },
  })
  const options = {
    queue,
    throttle,
    meaningOf: submitMeanings([]),
    newPartId: () => 'part',
    onSent: () => {},
    onAnswer: () => {},
    onRefused: () => {},
  }
  const ending = new AbortController()
  const part = { part: Buffer.alloc(16), isBegun: false, isRecalled: () => false, onLate: () => {} }
  const sender = async (): Promise<void> => {
    while (!ending.signal.aborted) {
      const result = await submitPart(options, part, ending.signal)
      if (result.kind !== 'LATER') continue
      await new Promise<void>((resolve) => clock.after(result.retryAfterMs, resolve))
    }
  }
  for (let count = 0; count < window * 2; count += 1) void sender()
  await clock.advance(seconds * 1000)
  ending.abort()
  return { ...counts }
}

describe('an SMSC that throttles', () => {
  for (const [kind, admission] of kinds) {
    for (const perSecond of [20, 200, 1000]) {
      it(`takes 90 % of ${perSecond} parts per second if it ${kind}`, async () => {
        const seconds = 40
        const allowed = seconds * perSecond

        const { accepted, refused } = await sendFor(seconds, (clock) => admission(perSecond, clock))

        assert.ok(accepted >= allowed * 0.9, `${accepted} of ${allowed} accepted`)
        // The first ones leave before anything is known about the rate.
        const [first, later] = [window * 4, allowed * 0.1]
        assert.ok(refused <= first + later, `${refused} refused of ${allowed} allowed`)
      })
    }
  }
})
