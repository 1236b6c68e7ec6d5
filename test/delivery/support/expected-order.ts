import assert from 'node:assert/strict'
import { refusalsMax } from '../../../src/delivery/attempts/settle.ts'
import type { Sent } from './world.ts'

/**
 * What must be true of the requests that a receiver gets, whatever it answers: each is a piece of the
 * log without a gap, none goes past a record that was neither acknowledged nor refused alone five
 * times, an identifier always stands for the same records, and records that are sent again have the
 * identifier that they had, unless they were refused together and are sent in a smaller batch.
 */
export class ExpectedOrder {
  readonly #names: readonly string[]
  readonly #batches = new Map<string, string>()
  readonly #refusedAlone = new Map<string, number>()
  /** The identifiers of the batches that begin with a record, as long as no batch was refused. */
  readonly #acknowledged = new Map<string, string>()
  #last: { readonly sent: Sent; readonly isHalved: boolean } | null = null
  #done = 0

  constructor(names: readonly string[]) {
    this.#names = names
  }

  /** How many records are acknowledged or given up. */
  get done(): number {
    return this.#done
  }

  /** Checks a request before it is answered. */
  check({ webhookId, messageIds }: Sent): void {
    const records = messageIds.join()
    const start = this.#names.indexOf(messageIds[0] ?? '')
    assert.equal(records, this.#names.slice(start, start + messageIds.length).join(), 'has no gap')
    assert.equal(this.#batches.get(webhookId) ?? records, records, 'an identifier is one batch')
    this.#batches.set(webhookId, records)
    const isAgain = this.#last?.sent.messageIds[0] === messageIds[0] && !this.#last?.isHalved
    if (isAgain) assert.equal(webhookId, this.#last?.sent.webhookId, 'a batch keeps its identifier')
    const known = this.#acknowledged.get(messageIds[0] ?? '') ?? webhookId
    assert.equal(webhookId, known, 'an acknowledged batch keeps its identifier')
    this.passGivenUp(start)
    assert.ok(start <= this.#done, `${messageIds[0]} was sent before ${this.#names[this.#done]}`)
  }

  /** Notes what a receiver answers. */
  note(sent: Sent, answer: 'accepted' | 'refused' | 'failed'): void {
    const { messageIds } = sent
    const [first = ''] = messageIds
    this.#last = { sent, isHalved: answer === 'refused' && messageIds.length > 1 }
    if (answer === 'accepted') this.#acknowledged.set(first, sent.webhookId)
    if (this.#last.isHalved) this.#acknowledged.clear()
    if (answer === 'accepted') {
      this.#done = Math.max(this.#done, this.#names.indexOf(first) + messageIds.length)
    } else if (answer === 'refused' && messageIds.length === 1) {
      this.#refusedAlone.set(first, (this.#refusedAlone.get(first) ?? 0) + 1)
    }
  }

  /** Counts records as done that were refused often enough, up to a place. */
  passGivenUp(end: number): void {
    while (this.#done < end && this.#isGivenUp(this.#names[this.#done] ?? '')) this.#done += 1
  }

  #isGivenUp(name: string): boolean {
    return (this.#refusedAlone.get(name) ?? 0) >= refusalsMax
  }
}
