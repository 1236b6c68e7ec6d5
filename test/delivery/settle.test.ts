import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { position } from './support/position.ts'
import type { Outcome } from '../../src/delivery/egress/post.ts'
import {
  initialProgress,
  type OpenBatch,
  type WebhookProgress,
} from '../../src/delivery/progress/progress.ts'
import { defaultSchedule } from '../../src/delivery/attempts/schedule.ts'
import { settle, type Action, type Settlement } from '../../src/delivery/attempts/settle.ts'

const now = Date.UTC(2026, 0, 10)
const dayMs = 86_400_000
const end = position('42')
const half = { fraction: () => 0.5, bytes: (count: number) => new Uint8Array(count) }

describe('an attempt that is accepted', () => {
  it('moves the cursor and ends all that failures left behind', () => {
    const before = { ...failing(3), error: 'The receiver answered 503.', setAside: 2 }

    const { action, progress } = after(before, aBatch(), { kind: 'ACCEPTED', status: 204 })

    assert.deepEqual(action, { kind: 'ADVANCE', to: end })
    assert.deepEqual(progress, { ...initialProgress, lastSuccessAt: now })
  })
})

describe('an attempt that is retried as it is', () => {
  const outcomes: readonly [string, Outcome][] = [
    ...[301, 302, 307, 304, 408, 429, 500, 502, 503, 599, 199].map(
      (status) => [`the answer ${status}`, refusal(status)] as [string, Outcome],
    ),
    ['no connection', { kind: 'UNREACHABLE', detail: 'the connection was refused' }],
    ['no answer in time', { kind: 'TIMEOUT', detail: 'no answer within 15000 ms' }],
    ['a forbidden address', { kind: 'BLOCKED', detail: 'its address is private' }],
  ]
  for (const [name, outcome] of outcomes) {
    it(`is one that ends with ${name}`, () => {
      const { action, progress } = after(initialProgress, aBatch(), outcome)

      assert.deepEqual(action, { kind: 'RETRY', at: now + 5000 })
      assert.deepEqual(progress.batch, { ...aBatch(), attempts: 1 })
      assert.equal(progress.failingSince, now)
      assert.equal(progress.nextAttemptAt, now + 5000)
      assert.equal(progress.waitMs, 5000)
      assert.equal(progress.step, 1)
      assert.match(progress.error ?? '', /^The|^There/)
    })
  }

  it('takes the next step of the schedule each time', () => {
    const { action, progress } = after(failing(4), aBatch({ attempts: 4 }), refusal(500))

    assert.deepEqual(action, { kind: 'RETRY', at: now + 1_800_000 })
    assert.equal(progress.step, 5)
    assert.equal(progress.batch?.attempts, 5)
  })

  it('waits as long as Retry-After says, more or less than the schedule', () => {
    assert.deepEqual(retryAt(refusal(503, '90')), now + 90_000)
    assert.deepEqual(retryAt(refusal(429, '2')), now + 2000)
    assert.deepEqual(retryAt(refusal(503, 'soon')), now + 5000)
  })

  it('is made a last time when three days are over, and not later', () => {
    const before = { ...failing(20), failingSince: now - 3 * dayMs + 60_000 }

    const { action } = after(before, aBatch(), refusal(500))

    assert.deepEqual(action, { kind: 'RETRY', at: now + 60_000 })
  })
})

describe('a webhook is disabled', () => {
  it('at once by 410', () => {
    const { action, progress } = after(initialProgress, aBatch(), { kind: 'GONE', status: 410 })

    assert.equal(action.kind, 'DISABLE')
    assert.match(progress.disabled ?? '', /410/)
    assert.deepEqual(progress.batch, { ...aBatch(), attempts: 1 })
  })

  const last: readonly Outcome[] = [
    refusal(500),
    refusal(400),
    { kind: 'TIMEOUT', detail: 'no answer within 1000 ms' },
    { kind: 'BLOCKED', detail: 'its address is private' },
  ]
  for (const outcome of last) {
    it(`when the last attempt of three days ends as ${JSON.stringify(outcome)}`, () => {
      const before = { ...failing(20), failingSince: now - 3 * dayMs }

      const { action, progress } = after(before, aBatch(), outcome)

      assert.equal(action.kind, 'DISABLE')
      assert.match(progress.disabled ?? '', /^No delivery succeeded for 3 days\. The/)
      assert.equal(progress.batch?.id, 'batch_1')
    })
  }

  it('rather than that a record is set aside, when three days are over', () => {
    const before = { ...failing(20), failingSince: now - 3 * dayMs }

    const { action } = after(before, aBatch({ count: 1, refusals: 4 }), refusal(422))

    assert.equal(action.kind, 'DISABLE')
  })
})

describe('a batch that is refused for what it holds', () => {
  for (const status of [400, 401, 403, 404, 409, 413, 422, 451, 499]) {
    it(`is halved after ${status}, and the half sent at once`, () => {
      const { action, progress } = after(initialProgress, aBatch({ count: 7 }), refusal(status))

      assert.deepEqual(action, { kind: 'HALVE' })
      assert.equal(progress.batch, null)
      assert.equal(progress.limit, 3)
      assert.equal(progress.suspects, 7)
      assert.equal(progress.nextAttemptAt, null)
      assert.equal(progress.failingSince, now)
    })
  }

  it('is halved later where Retry-After asks for it', () => {
    const { progress } = after(initialProgress, aBatch({ count: 7 }), refusal(400, '60'))

    assert.equal(progress.nextAttemptAt, now + 60_000)
  })

  it('leaves the search among the rest when its first half is accepted', () => {
    const searching = { ...initialProgress, limit: 50, suspects: 100 }

    const { progress } = after(searching, aBatch({ count: 50 }), { kind: 'ACCEPTED', status: 200 })

    assert.equal(progress.suspects, 50)
    assert.equal(progress.limit, 25)
  })

  it('grows back by doubling when none is suspect any more', () => {
    const limits: (number | null)[] = []

    let progress: WebhookProgress = { ...initialProgress, limit: 1, suspects: 1 }
    for (let size = 1; progress.limit !== null; size *= 2) {
      ;({ progress } = after(progress, aBatch({ count: size }), { kind: 'ACCEPTED', status: 200 }))
      limits.push(progress.limit)
    }

    assert.deepEqual(limits, [2, 4, 8, 16, 32, 64, null])
  })
})

describe('a record that is refused alone', () => {
  it('is retried on the schedule four times, then set aside', () => {
    const actions: Action[] = []

    let progress: WebhookProgress = { ...initialProgress, limit: 1, suspects: 1 }
    let batch: OpenBatch | null = aBatch({ count: 1 })
    while (batch !== null) {
      const settled: Settlement = after(progress, batch, refusal(422))
      actions.push(settled.action)
      progress = settled.progress
      batch = progress.batch
    }

    assert.deepEqual(actions, [
      { kind: 'RETRY', at: now + 5000 },
      { kind: 'RETRY', at: now + 30_000 },
      { kind: 'RETRY', at: now + 120_000 },
      { kind: 'RETRY', at: now + 600_000 },
      { kind: 'SET_ASIDE', to: end },
    ])
    assert.equal(progress.limit, 2)
    assert.equal(progress.suspects, 0)
    assert.equal(progress.nextAttemptAt, null)
    assert.equal(progress.failingSince, now)
  })

  it('counts only refusals for what it is', () => {
    const { progress } = after(initialProgress, aBatch({ count: 1, refusals: 3 }), refusal(503))

    assert.equal(progress.batch?.refusals, 3)
  })

  it('makes the next one wait longer, until something is accepted', () => {
    const before = { ...failing(4), setAside: 2 }

    const { progress } = after(before, aBatch({ count: 1, refusals: 4 }), refusal(404))
    const next = after(progress, aBatch({ count: 1 }), refusal(404))
    const accepted = after(progress, aBatch(), { kind: 'ACCEPTED', status: 200 })

    assert.equal(progress.setAside, 3)
    assert.deepEqual(next.action, { kind: 'RETRY', at: now + 600_000 })
    assert.equal(accepted.progress.setAside, 0)
    assert.equal(accepted.progress.step, 0)
  })
})

function after(progress: WebhookProgress, batch: OpenBatch, outcome: Outcome): Settlement {
  const settings = { schedule: defaultSchedule, maxBatch: 100 }
  return settle({ ...progress, batch }, batch, outcome, settings, now, half)
}

function retryAt(outcome: Outcome): number | null {
  return after(initialProgress, aBatch(), outcome).progress.nextAttemptAt
}

function aBatch(given: Partial<OpenBatch> = {}): OpenBatch {
  return { id: 'batch_1', end, count: 100, attempts: 0, refusals: 0, ...given }
}

function failing(step: number): WebhookProgress {
  return { ...initialProgress, failingSince: now - 3_600_000, step }
}

function refusal(status: number, retryAfter: string | null = null): Outcome {
  return { kind: 'REFUSED', status, retryAfter }
}
