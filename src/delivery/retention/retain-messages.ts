import { accounts } from '../../collections/accounts.ts'
import { endedStatuses, type Message, messages } from '../../collections/messages.ts'
import { type AccountId, accountId, defaultAccount } from '../../core/account.ts'
import type { Condition, Query, Start } from '../../core/declaration/query.ts'
import { type Clock, type Instant, wait } from '../../core/ports/clock.ts'
import type { Labels, Metrics } from '../../core/ports/metrics.ts'
import type { Store, Stored, Transaction } from '../../core/ports/store.ts'
import type { RetentionDays } from '../../core/retention-days.ts'
import { parseTimestamp, timestamp } from '../../core/timestamp.ts'
import { pagesOf, separately } from './all-accounts.ts'
import { sliceMax, slicePauseMs } from './trim.ts'
import { undeliveredSince } from './undelivered.ts'

/** The action of the retention on a message. */
export type RetentionAction = 'REMOVE' | 'ERASE'

/** Dependencies of the retention of messages. */
export interface MessageRetentionParts {
  readonly store: Store
  readonly clock: Clock
  /** For accounts without their own numbers. */
  readonly retentionDays: RetentionDays
  /** Called with the number of messages after each slice. */
  readonly onRetained: (action: RetentionAction, count: number) => void
}

/** Removes messages and erases bodies whose time is over, whenever it is called. */
export interface MessageRetention {
  /** `mayContinue` is asked before each account. */
  run(mayContinue: () => Promise<boolean>, signal: AbortSignal): Promise<void>
}

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** Time of one query. The database ends it, and the next one continues from there. */
const queryMs = 2000

/**
 * Makes the retention of messages. It finds them by their creation, whose index no change of a status
 * touches. Bodies are looked for from the end of the last run on, and once a day from the beginning, for
 * messages that ended late.
 */
export function messageRetention(parts: MessageRetentionParts): MessageRetention {
  const { store, clock } = parts
  let erasedTo = new Map<AccountId, Instant>()
  let began = -Infinity

  return {
    run: async (mayContinue, signal) => {
      if (clock.monotonic() - began >= dayMs) {
        began = clock.monotonic()
        erasedTo = new Map()
      }
      let isOver = false
      await separately(accountsOf(parts), async ({ account, days }) => {
        isOver ||= signal.aborted || !(await mayContinue())
        if (isOver) return
        const { messageRetentionDays, bodyRetentionDays } = days
        const now = clock.now()
        const since = lazily(() => undeliveredSince(store, account))
        if (messageRetentionDays !== null) {
          const before = now - messageRetentionDays * dayMs
          await sweep(parts, { account, action: 'REMOVE', from: null, before, since }, signal)
        }
        if (bodyRetentionDays !== null && bodyRetentionDays < (messageRetentionDays ?? Infinity)) {
          const before = now - bodyRetentionDays * dayMs
          const from = erasedTo.get(account) ?? null
          await sweep(parts, { account, action: 'ERASE', from, before, since }, signal)
          // A message ends some time after its creation.
          if (!signal.aborted) erasedTo.set(account, before - hourMs)
        }
      })
    },
  }
}

interface AccountDays {
  readonly account: AccountId
  readonly days: RetentionDays
}

/** Returns the accounts with their retention; that of the administrator need not be stored. */
async function* accountsOf({
  store,
  retentionDays,
}: MessageRetentionParts): AsyncIterable<AccountDays> {
  let hasDefault = false
  for await (const page of pagesOf(store, defaultAccount, accounts)) {
    for (const { id, doc } of page) {
      if (id === defaultAccount) hasDefault = true
      yield { account: accountId(id), days: daysIn(doc, retentionDays) }
    }
  }
  if (!hasDefault) yield { account: defaultAccount, days: retentionDays }
}

function daysIn(doc: string, otherwise: RetentionDays): RetentionDays {
  const own: Partial<RetentionDays> = JSON.parse(doc)
  return {
    messageRetentionDays: own.messageRetentionDays ?? otherwise.messageRetentionDays,
    bodyRetentionDays: own.bodyRetentionDays ?? otherwise.bodyRetentionDays,
  }
}

/** One look through the messages of an account. */
interface Sweep {
  readonly account: AccountId
  readonly action: RetentionAction
  /** Messages created before are known to be done; null: none are. */
  readonly from: Instant | null
  /** Messages that ended before are due. */
  readonly before: Instant
  /** Returns the time from which on notifications may be undelivered. */
  readonly since: () => Promise<Instant>
}

async function sweep(
  parts: MessageRetentionParts,
  asked: Sweep,
  signal: AbortSignal,
): Promise<void> {
  const { store, clock, onRetained } = parts
  let start: Start | null = { offset: 0 }
  while (start !== null && !signal.aborted) {
    const limits = limitsOf(clock, signal)
    const query: Query = {
      conditions: conditionsOf(asked),
      searchTerms: [],
      sort: byAge,
      start,
      limit: sliceMax,
    }
    const { instances, examinedTo } = await store.page(asked.account, messages, null, query, limits)
    const ended = instances.filter(({ doc }) => endOf(JSON.parse(doc)) < asked.before)
    if (ended.length > 0) {
      const before = Math.min(asked.before, await asked.since())
      const count = await store.transact((transaction) =>
        retain(transaction, { ...asked, before, now: clock.now() }, ended),
      )
      onRetained(asked.action, count)
    }
    start = examinedTo === null ? nextStart(instances) : { after: examinedTo }
    if (start !== null) await wait(clock, slicePauseMs, signal)
  }
}

function limitsOf(clock: Clock, signal: AbortSignal) {
  const ends = clock.monotonic() + queryMs
  return { signal: () => signal, remainingMs: () => ends - clock.monotonic(), mayBePartial: true }
}

function nextStart(instances: readonly Stored[]): Start | null {
  const last = instances.at(-1)
  if (last === undefined || instances.length < sliceMax) return null
  const { createdAt }: Message = JSON.parse(last.doc)
  return { after: [createdAt, last.id] }
}

function conditionsOf({ action, from, before }: Sweep): readonly Condition[] {
  return [
    { path: ['createdAt'], operator: 'lt', values: [timestamp(before)] },
    { path: ['status', 'type'], operator: 'eq', values: endedStatuses },
    ...(from === null ? [] : [createdFrom(from)]),
    ...(action === 'ERASE' ? [withBody] : []),
  ]
}

function createdFrom(from: Instant): Condition {
  return { path: ['createdAt'], operator: 'gte', values: [timestamp(from)] }
}

const withBody: Condition = { path: ['bodyErasedAt'], operator: 'eq', values: [null] }
const byAge = [
  { path: ['createdAt'], direction: 'asc' },
  { path: ['id'], direction: 'asc' },
] as const

/** Removes messages, or erases their bodies, if they are still due. Returns their number. */
async function retain(
  transaction: Transaction,
  { account, action, before, now }: Omit<Sweep, 'since'> & { readonly now: Instant },
  found: readonly Stored[],
): Promise<number> {
  const writer = transaction.in(account)
  const done = await Promise.all(
    found.map(async ({ id }) => {
      const stored = await writer.find(messages, { id })
      if (stored === null) return false
      const message: Message = JSON.parse(stored.doc)
      // A late receipt may have changed it.
      if (endOf(message) >= before) return false
      if (action === 'ERASE') {
        const hidden = stored.hidden === null ? null : JSON.parse(stored.hidden)
        await writer.save(messages, { id }, withoutBody(message, now), hidden)
        return true
      }
      return writer.remove(messages, { id })
    }),
  )
  return done.filter(Boolean).length
}

function withoutBody(message: Message, now: Instant): Message {
  const at = timestamp(now)
  const updatedAt = at > message.updatedAt ? at : message.updatedAt
  return { ...message, body: '', bodyErasedAt: at, updatedAt }
}

/** Returns when a message reached its status. */
function endOf({ history, createdAt, status }: Message): Instant {
  if (!endedStatuses.some((ended) => ended === status.type)) return Infinity
  return parseTimestamp(history.at(-1)?.date ?? createdAt) ?? Infinity
}

function lazily<T>(work: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | null = null
  return () => (made ??= work())
}

/** Counts the messages that the retention removed, and those whose bodies it erased. */
export function retentionCounts(metrics: Metrics): MessageRetentionParts['onRetained'] {
  const labels: Readonly<Record<RetentionAction, Labels>> = {
    REMOVE: { action: 'REMOVE' },
    ERASE: { action: 'ERASE' },
  }
  const retained = metrics.counter(
    'nuncio_retained_messages_total',
    'Messages that the retention removed, or whose bodies it erased, by action.',
    Object.values(labels),
  )
  return (action, count) => retained.add(labels[action], count)
}
