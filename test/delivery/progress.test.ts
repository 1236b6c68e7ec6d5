import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { position } from './support/position.ts'
import {
  initialProgress,
  progressText,
  readProgress,
  type WebhookProgress,
} from '../../src/delivery/progress/progress.ts'

describe('the progress of a webhook', () => {
  it('is read back as it was written', () => {
    const progress: WebhookProgress = {
      batch: { id: 'batch_1', end: position('7'), count: 3, attempts: 2, refusals: 1 },
      ahead: [{ id: 'batch_2', end: position('9'), count: 2 }],
      nextAttemptAt: 17,
      waitMs: 6,
      step: 4,
      setAside: 1,
      suspects: 6,
      limit: 3,
      failingSince: 11,
      lastSuccessAt: 10,
      error: 'The receiver answered 503.',
      disabled: 'No delivery succeeded for 3 days.',
      alarmedAt: 6,
      trimmedAt: 5,
      from: position('4'),
      replays: [
        {
          id: 'replay_1',
          position: position('2'),
          end: position('6'),
          sent: 40,
          setAside: 1,
          reached: 3,
          flow: {
            ...initialProgress,
            batch: { id: 'replayed_1', end: position('5'), count: 9, attempts: 1, refusals: 0 },
            failingSince: 12,
          },
        },
      ],
    }

    assert.deepEqual(readProgress(progressText(progress)), progress)
  })

  const broken = ['', 'null', '[]', '7', '{', '{"batch":7,"step":"x","limit":-1,"failingSince":{}}']
  for (const text of [...broken, '{"batch":{"id":"batch_1","count":3}}']) {
    it(`begins anew where it is ${JSON.stringify(text)}`, () => {
      assert.deepEqual(readProgress(text), initialProgress)
    })
  }

  it('keeps what is planned ahead as far as it can be read', () => {
    const batch = { id: 'batch_1', end: position('7'), count: 3, attempts: 0, refusals: 0 }
    const ahead = ['8', 'x', '9'].map((end, index) => ({
      id: `batch_${index + 2}`,
      end: position(end),
      count: 1,
    }))
    const text = progressText({ ...initialProgress, batch, ahead })

    const read = readProgress(text)

    assert.deepEqual(read, { ...initialProgress, batch, ahead: ahead.slice(0, 1) })
    assert.deepEqual(
      readProgress(text.replace('batch_2 1', 'batch_2 0')).ahead,
      [],
      'a batch holds something',
    )
  })

  it('lets a batch go whose end is no position of this store', () => {
    const batch = { id: 'batch_1', end: position('x'), count: 3, attempts: 2, refusals: 0 }
    const text = progressText({ ...initialProgress, batch, lastSuccessAt: 9 })

    assert.deepEqual(readProgress(text), { ...initialProgress, lastSuccessAt: 9 })
  })
})
