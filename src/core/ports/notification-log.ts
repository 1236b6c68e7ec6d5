import type { AccountId } from '../account.ts'
import type { Instant } from './clock.ts'

declare const brand: unique symbol

/**
 * A position in the notification log of one account: the number of an entry, written out. Only a store can
 * tell which entries there are.
 */
export type LogPosition = string & { readonly [brand]: 'Position' }

const positionForm = /^(0|[1-9]\d{0,15})$/

/** Reads a position from its text; null if it is none. */
export function parsePosition(text: string): LogPosition | null {
  return positionForm.test(text) && Number.isSafeInteger(Number(text))
    ? (text as LogPosition)
    : null
}

/** Types of notifications about a webhook. */
export const alertTypes = ['WEBHOOK_DISABLED', 'WEBHOOK_RECOVERED'] as const

/** The type of an alert. */
export type AlertType = (typeof alertTypes)[number]

/** Returns true if a type is that of an alert. */
export function isAlert(type: unknown): type is AlertType {
  return alertTypes.some((alert) => alert === type)
}

/** A notification as it is appended. */
export interface NewNotification {
  /** `RECEIVED`, `SENT` or that of an alert; receivers ignore types that they do not know. */
  readonly type: string
  /**
   * Status type of the message at that moment, such as `DELIVERED`; for an alert, the identifier of
   * its webhook.
   */
  readonly status: string
  /** Identifier in the record: that of the message or of the alert. */
  readonly messageId: string
  readonly at: Instant
  /** The notification record, of a message its 14 fields, as JSON text. */
  readonly record: string
  /** The request that created the message, as `correlationText`; absent if none is known. */
  readonly correlation?: string
  /** The carrier of the message at that moment; absent if it has none yet. The record does not name it. */
  readonly carrier?: string
  /** Number of parts of the message; absent for an alert. */
  readonly parts?: number
  /** Cost of the message in millionths of a credit; absent for an alert. */
  readonly costMicros?: number
}

/** A notification in its place. What is only summed up is not read. */
export interface LogEntry extends Omit<NewNotification, 'parts' | 'costMicros'> {
  readonly account: AccountId
  readonly position: LogPosition
}

/** Which entries of an account a reader wants: these types, and of `SENT` these statuses. */
export interface LogFilter {
  readonly types: readonly string[]
  readonly statuses: readonly string[]
  /** Excludes alerts about this webhook: it does not receive them. */
  readonly notAbout?: string
}

/** Range of an account's log: entries after `after` (null: from the oldest stored one), up to `end`. */
export interface LogRange {
  readonly account: AccountId
  readonly after: LogPosition | null
  readonly end: LogPosition
}

/** Search through the log. */
export interface LogSearch extends LogFilter {
  /** Only what happened at this time or later. */
  readonly from: Instant
  /** Only what happened before this time; null: to the end. */
  readonly until: Instant | null
  /** Only notifications whose records have one of these identifiers; null: any. */
  readonly messageIds: readonly string[] | null
  /** Only dead letters of this webhook; null: any entry. */
  readonly deadLettersOf: string | null
}

/** Entries found so far. */
export interface LogSearchResult {
  readonly entries: readonly LogEntry[]
  /** Last examined position: no other match exists up to here. */
  readonly position: LogPosition
}

/** The entries of one period with one status, at one carrier. */
export interface LogSum {
  readonly periodBegin: Instant
  readonly status: string
  /** Null where there was none. */
  readonly carrier: string | null
  readonly entries: number
  readonly parts: number
  readonly costMicros: number
}

/** Summed up entries, and the position of the last of them; null without any. */
export interface LogSums {
  readonly sums: readonly LogSum[]
  readonly position: LogPosition | null
}

/**
 * The notification log: append-only, read on from a position. Entries are numbered per account, in the
 * order of the changes that they describe. An entry is never added before one that can be read already.
 */
export interface LogReader {
  /**
   * Returns up to `limit` entries after `after` (null: from the oldest stored one) that match the
   * filter.
   */
  read(
    account: AccountId,
    after: LogPosition | null,
    filter: LogFilter,
    limit: number,
  ): Promise<readonly LogEntry[]>
  /** Sums up to `limit` such entries, by periods of `periodMs` from the epoch on. */
  sum(
    account: AccountId,
    after: LogPosition | null,
    filter: LogFilter,
    limits: { readonly limit: number; readonly periodMs: number },
  ): Promise<LogSums>
  /** Counts the entries after `after` that match the filter. */
  count(account: AccountId, after: LogPosition | null, filter: LogFilter): Promise<number>
  /**
   * Searches the beginning of a range for up to `limit` entries. It examines at most a few
   * thousand, so that others are not delayed: with fewer than `limit` results before the end of the
   * range, the caller continues from the returned position.
   */
  search(stretch: LogRange, sought: LogSearch, limit: number): Promise<LogSearchResult>
  /** The position of the last entry of an account, be it removed by now. */
  end(account: AccountId): Promise<LogPosition>
  /** The same for several accounts. */
  ends(accounts: readonly AccountId[]): Promise<ReadonlyMap<AccountId, LogPosition>>
}

/** Returns true if a notification alone matches a search. */
export function isSought(
  sought: LogSearch,
  entry: Pick<NewNotification, 'type' | 'status' | 'at' | 'messageId'>,
): boolean {
  const { from, until, messageIds } = sought
  return (
    wants(sought, entry) &&
    entry.at >= from &&
    (until === null || entry.at < until) &&
    (messageIds === null || messageIds.includes(entry.messageId))
  )
}

/** Returns true if a notification matches a filter. */
export function wants(filter: LogFilter, entry: Pick<NewNotification, 'type' | 'status'>): boolean {
  if (!filter.types.includes(entry.type)) return false
  if (entry.type === 'SENT') return filter.statuses.includes(entry.status)
  return !isAlert(entry.type) || entry.status !== filter.notAbout
}
