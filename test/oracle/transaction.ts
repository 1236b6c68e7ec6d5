import { type AccountId, accountId, everyAccount } from '../../src/core/account.ts'
import { type Collection, qualifiedName } from '../../src/core/declaration/collection.ts'
import type { Consumers } from '../../src/core/ports/consumers.ts'
import type { NamedLeases } from '../../src/core/ports/leases.ts'
import type { Receipts } from '../../src/core/ports/receipts.ts'
import type { Reader, Transaction, Writer } from '../../src/core/ports/store.ts'
import { defaultQueueKey, type Submissions } from '../../src/core/ports/submissions.ts'
import { addSubmission, type Effects } from '../../src/stores/commit.ts'
import { memoryConsumers, removeConsumer } from './consumers.ts'
import { memoryLeases } from './leases.ts'
import { memoryInstances } from './instances.ts'
import { positionOf } from './notification-log.ts'
import { memoryReader } from './reader.ts'
import { memoryReceipts } from './receipts.ts'
import { count, type Draft, keyOf } from './state.ts'
import { memorySubmissions } from './submissions.ts'

/**
 * A transaction on a draft. Its parts are made when they are asked for: most touch one or two. A class,
 * since getters of a literal make a shape of their own each time, which only full collections free.
 */
export class MemoryTransaction implements Transaction {
  readonly #draft: Draft
  readonly #effects: Effects
  readonly #collections: readonly Collection[]
  readonly #writers = new Map<AccountId, Writer>()

  constructor(draft: Draft, effects: Effects, collections: readonly Collection[]) {
    this.#draft = draft
    this.#effects = effects
    this.#collections = collections
  }

  in(account: AccountId): Writer {
    const known = this.#writers.get(account)
    if (known !== undefined) return known
    const writer = memoryWriter(this.#draft, this.#effects, this.#collections, account)
    this.#writers.set(account, writer)
    return writer
  }

  get everywhere(): Reader {
    return memoryReader(this.#draft.see, this.#collections, everyAccount)
  }

  get submissions(): Submissions {
    return memorySubmissions(this.#draft, this.#effects)
  }

  get receipts(): Receipts {
    return memoryReceipts(this.#draft)
  }

  get consumers(): Consumers {
    return memoryConsumers(this.#draft)
  }

  get leases(): NamedLeases {
    return memoryLeases(this.#draft)
  }

  recall(submissionId: string): void {
    this.#effects.recalled.push(submissionId)
  }
}

const unclaimed = { attempt: 0, uncertain: false, claimedBy: null }

function memoryWriter(
  draft: Draft,
  effects: Effects,
  collections: readonly Collection[],
  account: AccountId,
): Writer {
  const instances = memoryInstances(draft, effects, collections, account)
  return {
    ...instances,
    remove: async (collection, key) => {
      const name = qualifiedName(collection)
      if (name === 'messages') forget(draft, account, key.id)
      if (name === 'webhooks') removeConsumer(draft, account, key.id)
      if (name === 'accounts') erase(draft, effects, accountId(key.id))
      return instances.remove(collection, key)
    },
    ...memoryQueue(draft, effects, account),
    notify: async (notification) => {
      const number = (draft.see('heads').get(account) ?? 0) + 1
      const position = positionOf(number)
      draft.change('heads').set(account, number)
      draft.change('log').set(count(draft, 'log'), { ...notification, account, position })
      effects.notified.add(account)
    },
    ...memoryTallies(draft, account),
    sentFrom: async (address, sentAt) => {
      draft.change('senders').set(keyOf(address, account), { address, account, sentAt })
    },
  }
}

/** Removes the submission of a message, and its expected receipts. */
function forget(draft: Draft, account: AccountId, messageId: string): void {
  draft.change('submissions').delete(keyOf(account, messageId))
  for (const [key, { part }] of draft.see('receipts')) {
    if (part.account !== account || part.messageId !== messageId) continue
    draft.change('receipts').delete(key)
  }
}

function memoryQueue(
  draft: Draft,
  effects: Effects,
  account: AccountId,
): Pick<Writer, 'enqueue' | 'dequeue'> {
  return {
    enqueue: async (messageId, dueAt, place = defaultQueueKey, lateAt = null) => {
      const key = keyOf(account, messageId)
      const row = draft.see('submissions').get(key) ?? unclaimed
      draft.change('submissions').set(key, { ...row, account, messageId, dueAt, place, lateAt })
      addSubmission(effects, dueAt)
    },
    dequeue: async (messageId) => {
      const key = keyOf(account, messageId)
      const row = draft.see('submissions').get(key)
      if (row === undefined || row.uncertain) return null
      draft.change('submissions').delete(key)
      return row.place
    },
  }
}

function memoryTallies(
  draft: Draft,
  account: AccountId,
): Pick<Writer, 'setCounters' | 'addToCounter'> {
  return {
    setCounters: async (subject, names) => {
      if (names.length === 0) {
        draft.change('tallies').delete(keyOf(account, subject))
        return
      }
      const begun = Object.fromEntries(names.map((name) => [name, 0]))
      const counts = { ...begun, ...draft.see('tallies').get(keyOf(account, subject))?.counts }
      draft.change('tallies').set(keyOf(account, subject), { account, counts })
    },
    addToCounter: async (subject, name, by, bounds) => {
      const key = keyOf(account, subject)
      const row = draft.see('tallies').get(key)
      const before = row?.counts[name]
      if (row === undefined || before === undefined) return null
      const count = before + by
      if (bounds !== undefined && (count < bounds.atLeast || count > bounds.atMost)) {
        return { count: before, isAdded: false }
      }
      draft.change('tallies').set(key, { account, counts: { ...row.counts, [name]: count } })
      return bounds === undefined ? null : { count, isAdded: true }
    },
  }
}

function erase(draft: Draft, effects: Effects, account: AccountId): void {
  for (const [collection, rows] of draft.see('instances')) {
    for (const [key, { stored }] of rows) {
      if (stored.account !== account) continue
      draft.changeIn(collection).delete(key)
      effects.changed.add(collection)
    }
  }
  for (const table of ['submissions', 'log', 'consumers', 'setAside', 'tallies'] as const) {
    const rows: Map<unknown, { readonly account: AccountId }> = draft.change(table)
    for (const [key, row] of rows) if (row.account === account) rows.delete(key)
  }
  for (const [key, { part }] of draft.see('receipts')) {
    if (part.account === account) draft.change('receipts').delete(key)
  }
  for (const [key, sender] of draft.see('senders')) {
    if (sender.account === account) draft.change('senders').delete(key)
  }
}
