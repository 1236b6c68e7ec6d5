import assert from 'node:assert/strict'
import { defaultAccount } from '../../../src/core/account.ts'
import {
  countCredits,
  findCredits,
  microsPerCredit,
  creditMovements,
  type CreditMovement,
  enterMovement,
} from '../../../src/collections/credits/credit-movements.ts'
import { where } from '../../../src/core/ports/store.ts'
import { messages, type Message } from '../../../src/collections/messages.ts'
import type { World } from './world.ts'

const everything = where([], 10_000)

/** Counts the credits of the account that the world's clients are of, and adds so many. */
export async function topUp(world: World, credits: number): Promise<void> {
  const { store, clock, newId } = world
  await store.transact(async (transaction) => {
    await countCredits(transaction.in(defaultAccount), true)
    const micros = credits * microsPerCredit
    const why = { kind: 'TOP_UP', message: null, note: null } as const
    const movement = { account: defaultAccount, micros, at: clock.now(), ...why }
    await enterMovement(transaction, movement, newId)
  })
}

/** How many credits are left. */
export async function creditsLeft({ store }: World): Promise<number> {
  const micros = await store.read(defaultAccount, (reader) => findCredits(reader, defaultAccount))
  return (micros ?? NaN) / microsPerCredit
}

/**
 * Throws unless the ledger adds up to the balance at every step, the balance is never below none, and
 * for every message that there is exactly its cost is taken if it has left or may still leave.
 */
export async function checkCredits(world: World): Promise<void> {
  const { entries, kept, left } = await world.store.read(defaultAccount, async (reader) => ({
    entries: await reader.list(creditMovements, defaultAccount, everything),
    kept: await reader.list(messages, null, everything),
    left: await findCredits(reader, defaultAccount),
  }))
  const bySubmission = new Map<string, number>()
  let sum = 0
  for (const { doc, hidden } of entries) {
    const { amount, balance }: CreditMovement = JSON.parse(doc)
    sum += micros(amount)
    assert.equal(sum, micros(balance))
    assert.ok(sum >= 0, `the balance was ${sum}`)
    const { submission = '' } = JSON.parse(hidden ?? '{}')
    bySubmission.set(submission, (bySubmission.get(submission) ?? 0) - micros(amount))
  }
  assert.equal(sum, left)
  for (const { doc } of kept) {
    const message: Message = JSON.parse(doc)
    const due = isPaid(message) ? micros(message.creditCost) : 0
    const taken = bySubmission.get(message.submission.id) ?? 0
    assert.equal(taken, due, `${message.id}, ${JSON.stringify(message.history)}`)
  }
}

function micros(credits: number): number {
  return Math.round(credits * microsPerCredit)
}

/** Whether a message waits to leave, has left or may have. */
function isPaid({ type, status, history }: Message): boolean {
  if (type !== 'SENT') return false
  const ended = status.type === 'CANCELLED' || status.type === 'FAILED'
  return !ended || history.some((entry) => /^SENT|RESUBMITTED$/.test(entry.status))
}
