import type { Message } from '../../../src/collections/messages.ts'
import type { Page } from './list-query.ts'
import type { RequestOptions } from './options.ts'

/** What a notification says of a message: exactly what webhooks carry. */
export type NotificationRecord = Pick<
  Message,
  | 'id'
  | 'type'
  | 'from'
  | 'to'
  | 'body'
  | 'encoding'
  | 'protocolId'
  | 'messageClass'
  | 'numberOfParts'
  | 'creditCost'
  | 'submission'
  | 'status'
  | 'relatedSentMessageId'
  | 'userSuppliedId'
>

/** Which notifications are wanted. */
export interface NotificationQuery {
  /** Both types where none is given. */
  readonly types?: readonly Message['type'][] | undefined
  /** Statuses of sent messages; the final ones where none is given. */
  readonly statuses?: readonly Message['status']['type'][] | undefined
  /** A place in the log: only what came behind it. */
  readonly after?: string | undefined
}

/** Which notifications are wanted, and how many at a time. */
export interface NotificationListQuery extends NotificationQuery {
  /** From 1 to 1,000; 50 where none is given. */
  readonly pageSize?: number | undefined
}

/** Which notifications are wanted, and how often to ask. */
export interface PollQuery extends NotificationQuery {
  /** How long to wait when there was nothing more; 5,000 where none is given. */
  readonly everyMs?: number | undefined
}

/**
 * Notifications as they come, oldest first, without end. A lost connection is taken up again behind
 * the last record; a refusal that time does not mend is thrown, and so is the signal's reason.
 */
export interface NotificationFeed extends AsyncIterable<NotificationRecord> {
  /**
   * Where to go on, as `after` of a later feed: everything up to here was handed out. Null before
   * the service has named a place.
   */
  readonly lastEventId: string | null
}

/** The notifications of the account. */
export interface Notifications {
  /** One page of the log. Its `next` is there also on the last page: there will be more. */
  list(query?: NotificationListQuery, options?: RequestOptions): Promise<Page<NotificationRecord>>

  /** Follows the event stream; without `after`, from now on. */
  stream(query?: NotificationQuery, options?: RequestOptions): NotificationFeed

  /** Asks again and again, for where a stream does not get through; without `after`, from the oldest. */
  poll(query?: PollQuery, options?: RequestOptions): NotificationFeed
}
