import type { AlertRecord } from '../../../../src/collections/alerts.ts'
import type { Message, NotificationRecord } from '../../../../src/collections/messages.ts'
import type { NuncioConnectionError } from '../requests/connection-error.ts'
import type { NuncioProblem } from '../requests/problem.ts'
import type { Page } from '../declarations/list-query.ts'
import type { RequestOptions } from '../options.ts'

export type { AlertRecord, NotificationRecord }

/** The types of notification that there are. */
export type NotificationType = Message['type'] | AlertRecord['type']

/** The record of a notification of this type. */
export type RecordOf<T extends NotificationType> = T extends Message['type']
  ? NotificationRecord
  : AlertRecord

/** Which notifications are wanted. */
export interface NotificationQuery<T extends NotificationType = Message['type']> {
  /** Both types of messages where none is given. */
  readonly types?: readonly T[] | undefined
  /** Statuses of sent messages; the final ones where none is given. */
  readonly statuses?: readonly Message['status']['type'][] | undefined
  /** A place in the log: only what came behind it. */
  readonly after?: string | undefined
}

/** Which notifications are wanted, and how many at a time. */
export interface NotificationListQuery<
  T extends NotificationType = Message['type'],
> extends NotificationQuery<T> {
  /** From 1 to 1,000; 50 where none is given. */
  readonly pageSize?: number | undefined
}

/** Which notifications are wanted, and how often to ask. */
export interface PollQuery<
  T extends NotificationType = Message['type'],
> extends NotificationQuery<T> {
  /** How long to wait when there was nothing more; 5,000 where none is given. */
  readonly everyMs?: number | undefined
}

/**
 * Notifications as they come, oldest first, without end. A lost connection is taken up again behind
 * the last record; a refusal that time does not mend is thrown, and so is the signal's reason.
 */
export interface NotificationFeed<R = NotificationRecord> extends AsyncIterable<R> {
  /**
   * Where to go on, as `after` of a later feed: everything up to here was handed out. Null before
   * the service has named a place.
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

/** The options of a stream. What a callback throws ends the stream. */
export interface StreamOptions extends RequestOptions {
  /** Called for each connection, when its response begins. */
  readonly onOpen?: (() => void) | undefined
  /** Called before each wait for another connection. */
  readonly onInterrupted?: ((interruption: StreamInterruption) => void) | undefined
}

/** The notifications of the account. */
export interface Notifications {
  /** One page of the log. Its `next` is there also on the last page: there will be more. */
  list<T extends NotificationType = Message['type']>(
    query?: NotificationListQuery<T>,
    options?: RequestOptions,
  ): Promise<Page<RecordOf<T>>>

  /** Follows the event stream; without `after`, from now on. */
  stream<T extends NotificationType = Message['type']>(
    query?: NotificationQuery<T>,
    options?: StreamOptions,
  ): NotificationFeed<RecordOf<T>>

  /** Asks again and again, for where a stream does not get through; without `after`, from the oldest. */
  poll<T extends NotificationType = Message['type']>(
    query?: PollQuery<T>,
    options?: RequestOptions,
  ): NotificationFeed<RecordOf<T>>
}
