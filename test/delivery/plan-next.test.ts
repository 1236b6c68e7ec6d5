import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { depthOf } from '../../src/delivery/attempts/plan-next.ts'
import { initialProgress, type WebhookProgress } from '../../src/delivery/progress/progress.ts'
import type { ServedWebhook } from '../../src/delivery/workers/served-webhook.ts'

function depth(answerMs: number | null, progress: Partial<WebhookProgress> = {}): number {
  // The depth depends on the speed of the receiver and on the progress alone.
  return depthOf({ answerMs } as ServedWebhook, { ...initialProgress, ...progress })
}

describe('batches planned ahead', () => {
  it('are as many as the receiver takes in 160 ms, at least one and at most 128', () => {
    assert.deepEqual(
      [0, 1, 2, 40, 80, 81, 160, 5000].map((answerMs) => depth(answerMs)),
      [128, 128, 80, 4, 2, 1, 1, 1],
    )
  })

  it('are one while the speed of the receiver is unknown', () => {
    assert.equal(depth(null), 1)
  })

  it('are one during failures and the search for a refused record', () => {
    const disturbed: readonly Partial<WebhookProgress>[] = [
      { failingSince: 1 },
      { limit: 1 },
      { suspects: 1 },
      { disabled: { reason: 'GONE', at: 1 } as unknown as WebhookProgress['disabled'] },
    ]

    for (const progress of disturbed) assert.equal(depth(2, progress), 1, JSON.stringify(progress))
  })
})
