import type { AccountId } from '../account.ts'
import type { Instant } from './clock.ts'

declare const brand: unique symbol

/** A position in the notification log of one account. Opaque: only the store that made it can order it. */
export type LogPosition = string & { readonly [brand]: 'Position' }

/** The types of notification that tell of a webhook and not of a message. */
export const alertTypes = ['WEBHOOK_DISABLED', 'WEBHOOK_RECOVERED'] as const

/** The type of an alert. */
export type AlertType = (typeof alertTypes)[number]

/** Tells an alert from a notification of a message, by its type. */
export function isAlert(type: unknown): type is AlertType {
  return alertTypes.some((alert) => alert === type)
}

/** A notification as it is appended. */
export interface NewNotification {
  /** `RECEIVED`, `SENT` or that of an alert; receivers ignore types that they do not know. */
  readonly type: string
  /**
   * The status type of the message at that moment, such as `DELIVERED`; of an alert the identifier of
   * the webhook that it tells of.
   */
  readonly status: string
  /** The identifier that stands in the record: the message's, or the alert's own. */
  readonly messageId: string
  readonly at: Instant
  /** The notification record, of a message its 14 fields, as JSON text. */
  readonly record: string
}

/** A notification in its place. */
export interface LogEntry extends NewNotification {
  readonly account: AccountId
  readonly position: LogPosition
}

/** Which entries of an account a reader wants: these types, and of `SENT` these statuses. */
export interface LogFilter {
  readonly types: readonly string[]
  readonly statuses: readonly string[]
  /** No alerts that tell of this webhook: it does not hear of itself. */
  readonly notAbout?: string
}

/** A stretch of an account's log: what lies behind `after` (null: the oldest kept included), up to `end`. */
export interface LogRange {
  readonly account: AccountId
  readonly after: LogPosition | null
  readonly end: LogPosition
}

/** What a search through the log is for. */
export interface LogSearch extends LogFilter {
  /** Only what happened at this time or later. */
  readonly from: Instant
  /** Only what happened before this time; null: to the end. */
  readonly until: Instant | null
  /** Only notifications whose records have one of these identifiers; null: any. */
  readonly messageIds: readonly string[] | null
  /** Only what was set aside for this webhook; null: anything. */
  readonly deadLettersOf: string | null
}

/** What a search has found so far. */
export interface LogSearchResult {
  readonly entries: readonly LogEntry[]
  /** How far it looked: there is no other up to here. */
  readonly position: LogPosition
}

/**
 * The notification log: append-only, read on from a position. Entries are numbered per account, in the
 * order of the changes that they describe. An entry is never added before one that can be read already.
 */
export interface LogReader {
  /** Up to `limit` entries behind `after` (null: from the oldest kept) that the filter wants. */
  read(
    account: AccountId,
    after: LogPosition | null,
    filter: LogFilter,
    limit: number,
  ): Promise<readonly LogEntry[]>
  /** How many entries behind `after` the filter wants. */
  count(account: AccountId, after: LogPosition | null, filter: LogFilter): Promise<number>
  /**
   * Looks through the beginning of a stretch for up to `limit` entries. It looks at a few thousand
   * entries at most, so that others are not held up: where it found fewer than `limit` and did not
   * come to the end of the stretch, it is called again from where it came to.
   */
  search(stretch: LogRange, sought: LogSearch, limit: number): Promise<LogSearchResult>
  /** The position of the last entry of an account, be it removed by now. */
  end(account: AccountId): Promise<LogPosition>
  /** The same for several accounts. */
  ends(accounts: readonly AccountId[]): Promise<ReadonlyMap<AccountId, LogPosition>>
  /** Reads back a position that was given out as text; null if it is none of this store's. */
  parse(text: string): LogPosition | null
  /** Removes at most `limit` entries that were appended before `before`; returns how many. */
  trim(before: Instant, limit: number): Promise<number>
}

/** Tells whether a search is for a notification, as far as it alone tells. */
export function isSought(sought: LogSearch, entry: NewNotification): boolean {
  const { from, until, messageIds } = sought
  return (
    wants(sought, entry) &&
    entry.at >= from &&
    (until === null || entry.at < until) &&
    (messageIds === null || messageIds.includes(entry.messageId))
  )
}

/** Tells whether a filter wants a notification. */
export function wants(filter: LogFilter, entry: Pick<NewNotification, 'type' | 'status'>): boolean {
  if (!filter.types.includes(entry.type)) return false
  if (entry.type === 'SENT') return filter.statuses.includes(entry.status)
  return !isAlert(entry.type) || entry.status !== filter.notAbout
}
