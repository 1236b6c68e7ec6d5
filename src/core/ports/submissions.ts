import type { AccountId } from '../account.ts'
import type { Instant } from './clock.ts'

/** Key of a submission queue. Queues are claimed separately. */
export interface QueueKey {
  /** Name of the queue, chosen by the caller; opaque to the store. */
  readonly lane: string
  /** Priority from 0 to 3; a higher number is more urgent. */
  readonly priority: number
}

/** Default queue of a submission. */
export const defaultQueueKey: QueueKey = { lane: '', priority: 1 }

/** A place in which something waits. */
export interface WaitingQueue extends QueueKey {
  /** Due time of its first submission. A claimed one is due when its claim ends. */
  readonly dueAt: Instant
}

/** A message that is due to be handed to a carrier. */
export interface Submission {
  readonly account: AccountId
  readonly messageId: string
  /** Number of earlier claims. */
  readonly attempt: number
  /** A claim before this one ended without an outcome: the message may be at the carrier already. */
  readonly uncertain: boolean
  readonly place: QueueKey
}

/** Owner and end of a claim. */
export interface Claimant {
  readonly owner: string
  readonly until: Instant
}

/** One claim of a submission; later claims have a higher attempt. */
export type ClaimedSubmission = Pick<Submission, 'account' | 'messageId' | 'attempt'>

/** The queue of messages to be submitted. */
export interface Submissions {
  /** The places in which something waits, by lane and priority. */
  waiting(): Promise<readonly WaitingQueue[]>
  /** Counts the submissions of a queue that are due at `now`, up to `limit`. */
  countDue(place: QueueKey, now: Instant, limit: number): Promise<number>
  /**
   * Claims up to `limit` submissions of a queue that are due at `now`, earliest due first. No other node
   * gets them until `until`, or until the node `owner` has gone; then they are due again, as uncertain.
   */
  claim(
    now: Instant,
    until: Instant,
    limit: number,
    place?: QueueKey,
    owner?: string | null,
  ): Promise<readonly Submission[]>
  /** Claims, in any queue, submissions that are late at `now`. */
  claimLate(
    now: Instant,
    until: Instant,
    limit: number,
    owner?: string | null,
  ): Promise<readonly Submission[]>
  /**
   * Ends a claim with a known outcome. Returns false and changes nothing if it was claimed again
   * since, or is no longer enqueued: then another owner decides.
   */
  finish(claimed: ClaimedSubmission): Promise<boolean>
  /** Removes a submission, claimed or not: its message was deleted. */
  drop(account: AccountId, messageId: string): Promise<void>
  /**
   * Makes a claimed submission due again at `dueAt`, in another queue if one is given: the carrier
   * did not take it. Returns false and changes nothing if it was claimed again since, because
   * another owner may be submitting it.
   */
  postpone(claimed: ClaimedSubmission, dueAt: Instant, place?: QueueKey): Promise<boolean>
  /**
   * Moves the end of a claim to `until`, or to the end of its node: then the submission is due
   * again, as uncertain. Returns false and changes nothing if it was claimed again since.
   */
  extendClaim(claimed: ClaimedSubmission, until: Instant): Promise<boolean>
}
