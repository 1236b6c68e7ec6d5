import type { AlertRecord } from '../../../../src/collections/alerts.ts'
import type { Message, NotificationRecord } from '../../../../src/collections/messages.ts'
import type { NuncioConnectionError } from '../requests/connection-error.ts'
import type { NuncioProblem } from '../requests/problem.ts'
import type { Page } from '../declarations/list-query.ts'
import type { RequestOptions } from '../options.ts'

export type { AlertRecord, NotificationRecord }

/** The types of notifications. */
export type NotificationType = Message['type'] | AlertRecord['type']

/** The record of a notification of this type. */
export type RecordOf<T extends NotificationType> = T extends Message['type']
  ? NotificationRecord
  : AlertRecord

/** A filter for notifications. */
export interface NotificationQuery<T extends NotificationType = Message['type']> {
  /** Default: both types of messages. */
  readonly types?: readonly T[] | undefined
  /** Statuses of sent messages. Default: the final ones. */
  readonly statuses?: readonly Message['status']['type'][] | undefined
  /** A cursor in the log: only later notifications. */
  readonly after?: string | undefined
}

/** A filter for notifications, and the size of a page. */
export interface NotificationListQuery<
  T extends NotificationType = Message['type'],
> extends NotificationQuery<T> {
  /** From 1 to 1,000; default 50. */
  readonly pageSize?: number | undefined
}

/** A filter for notifications, and the interval of requests. */
export interface PollQuery<
  T extends NotificationType = Message['type'],
> extends NotificationQuery<T> {
  /** The wait after a page that is not full. Default: 5,000. */
  readonly everyMs?: number | undefined
}

/**
 * An endless sequence of notifications, oldest first. It reconnects after an interruption and
 * resumes after the last record. It throws a permanent refusal, and the signal's reason.
 */
export interface NotificationFeed<R = NotificationRecord> extends AsyncIterable<R> {
  /**
   * The cursor to resume from, as `after` of a later feed: the feed has yielded everything before
   * it. Null until the service has sent a cursor.
   */
  readonly lastEventId: string | null
}

/** An interruption of a stream, before the next connection. */
export interface StreamInterruption {
  /** The reason; null if the service closed the connection. */
  readonly cause: NuncioConnectionError | NuncioProblem | null
  /** The wait before the next connection. */
  readonly delayMs: number
}

/** The options of a stream. An error of a callback ends the stream. */
export interface StreamOptions extends RequestOptions {
  /** Called for each connection, when its response begins. */
  readonly onOpen?: (() => void) | undefined
  /** Called before each wait for another connection. */
  readonly onInterrupted?: ((interruption: StreamInterruption) => void) | undefined
}

/** The notifications of the account. */
export interface Notifications {
  /** Returns one page of the log. The last page has a `next` too, for later records. */
  list<T extends NotificationType = Message['type']>(
    query?: NotificationListQuery<T>,
    options?: RequestOptions,
  ): Promise<Page<RecordOf<T>>>

  /** Follows the event stream; without `after`, yields new notifications only. */
  stream<T extends NotificationType = Message['type']>(
    query?: NotificationQuery<T>,
    options?: StreamOptions,
  ): NotificationFeed<RecordOf<T>>

  /** Polls, for networks that block a stream; without `after`, begins with the oldest. */
  poll<T extends NotificationType = Message['type']>(
    query?: PollQuery<T>,
    options?: RequestOptions,
  ): NotificationFeed<RecordOf<T>>
}
