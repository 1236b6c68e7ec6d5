import type { AccountId } from '../../src/core/account.ts'
import type { Instant } from '../../src/core/ports/clock.ts'
import type { JsonObject } from '../../src/core/json.ts'
import type { LogEntry } from '../../src/core/ports/notification-log.ts'
import type { UnmatchedReceipt, ExpectedReceipt } from '../../src/core/ports/receipts.ts'
import type { Counters } from '../../src/core/ports/counters.ts'
import type { Stored } from '../../src/core/ports/store.ts'
import type { QueueKey } from '../../src/core/ports/submissions.ts'
import type { Lease } from '../../src/core/ports/leases.ts'

/** An account that sent from an address. */
export interface SenderRow {
  readonly address: string
  readonly account: AccountId
  readonly sentAt: Instant
}

/** An instance, and its texts read back. */
export interface InstanceRow {
  readonly stored: Stored
  readonly instance: JsonObject
  readonly hidden: JsonObject | null
}

/** A message in the submissions. */
export interface SubmissionRow {
  readonly account: AccountId
  readonly messageId: string
  readonly dueAt: Instant
  readonly attempt: number
  readonly uncertain: boolean
  /** The node that claimed it last, where that said so. */
  readonly claimedBy: string | null
  readonly place: QueueKey
  readonly lateAt: Instant | null
}

/** A part with the time at which its receipt is overdue. */
export interface ReceiptRow {
  readonly part: ExpectedReceipt
  readonly expiresAt: Instant
}

/** A webhook's place in the log, and who holds it. */
export interface ConsumerRow {
  readonly account: AccountId
  readonly webhookId: string
  readonly place: number
  readonly progress: string
  readonly owner: string | null
  readonly fence: number
  readonly heldUntil: Instant
}

/** An entry of the log that was set aside for a webhook. */
export interface SetAsideRow {
  readonly account: AccountId
  readonly webhookId: string
  readonly at: Instant
}

/** What is counted for a subject. */
export interface TallyRow {
  readonly account: AccountId
  readonly counts: Counters
}

/** All that a store holds: tables of rows that never change, by a key of their own. */
export interface State {
  /** By collection, in which each has a key of its own. */
  readonly instances: Map<string, ReadonlyMap<string, InstanceRow>>
  readonly submissions: Map<string, SubmissionRow>
  readonly receipts: Map<string, ReceiptRow>
  readonly earlyReceipts: Map<number, UnmatchedReceipt>
  readonly log: Map<number, LogEntry>
  /** The number of the last entry of each account's log. */
  readonly heads: Map<AccountId, number>
  readonly consumers: Map<string, ConsumerRow>
  readonly senders: Map<string, SenderRow>
  readonly leases: Map<string, Lease>
  readonly setAside: Map<string, SetAsideRow>
  readonly tallies: Map<string, TallyRow>
  /** How far has been counted: places in the log, early receipts, fences. */
  readonly counters: Map<'log' | 'earlyReceipts' | 'fence', number>
}

/** The tables as a transaction sees them. */
export interface Draft {
  readonly see: <T extends keyof State>(table: T) => State[T]
  /** A table to be written: a copy, made with the first write, so that the state before stays as it is. */
  readonly change: <T extends keyof State>(table: T) => State[T]
  /** The instances of a collection to be written, likewise. */
  readonly changeIn: (collection: string) => Map<string, InstanceRow>
  /** The state with all that was changed. */
  readonly result: () => State
  /** From here on whoever looks into it, or writes, is told that it is over. */
  readonly end: () => void
}

/** Nothing yet. */
export function emptyState(): State {
  return {
    instances: new Map(),
    submissions: new Map(),
    receipts: new Map(),
    earlyReceipts: new Map(),
    log: new Map(),
    heads: new Map(),
    consumers: new Map(),
    senders: new Map(),
    leases: new Map(),
    setAside: new Map(),
    tallies: new Map(),
    counters: new Map(),
  }
}

/** Begins a draft of what comes after `before`. */
export function draftOf(before: State): Draft {
  const state = { ...before }
  const copied = new Set<keyof State>()
  const copiedIn = new Map<string, Map<string, InstanceRow>>()
  let over = false
  const check = (): void => {
    if (over) throw new Error('this transaction is over: await everything inside it')
  }
  const change: Draft['change'] = (table) => {
    check()
    if (!copied.has(table)) {
      copied.add(table)
      Object.assign(state, { [table]: new Map<unknown, unknown>(state[table]) })
    }
    return state[table]
  }
  return {
    see: (table) => {
      check()
      return state[table]
    },
    change,
    changeIn: (collection) => {
      check()
      const known = copiedIn.get(collection)
      if (known !== undefined) return known
      const rows = new Map(state.instances.get(collection))
      copiedIn.set(collection, rows)
      change('instances').set(collection, rows)
      return rows
    },
    result: () => state,
    end: () => {
      over = true
    },
  }
}

/** Counts on, and returns the number. */
export function count(draft: Draft, name: 'log' | 'earlyReceipts' | 'fence'): number {
  const next = (draft.see('counters').get(name) ?? 0) + 1
  draft.change('counters').set(name, next)
  return next
}

/** A key made of several texts, of which none runs into the next. */
export function keyOf(...parts: readonly (string | null)[]): string {
  let key = ''
  for (const part of parts) key += part === null ? '-' : `${part.length}:${part}`
  return key
}
