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

/** End or extension of a claim. */
export type ClaimEnd =
  /** The outcome is known: the submission is removed. */
  | { readonly kind: 'FINISHED' }
  /** The carrier did not take it: it is due again at `dueAt`, in another queue if one is given. */
  | { readonly kind: 'POSTPONED'; readonly dueAt: Instant; readonly queue?: QueueKey }
  /** The outcome is open until `dueAt`, or the end of its node: then it is due again, as uncertain. */
  | { readonly kind: 'EXTENDED'; readonly dueAt: Instant }

/** The queue of messages to be submitted. */
export interface Submissions {
  /**
   * The places in which something waits, by lane and priority. A submission that was stored more than a second after
   * it was due is found within five seconds of `now`.
   */
  waiting(now: Instant): Promise<readonly WaitingQueue[]>
  /** Counts the submissions of a queue that are due at `now`, up to `limit`. */
  countDue(place: QueueKey, now: Instant, limit: number): Promise<number>
  /**
   * Claims up to `limit` submissions of a queue that are due at `now`, earliest due first, or of any
   * queue that are late. No other node gets them until `until`, or until the node `owner` has gone;
   * then they are due again, as uncertain.
   */
  claim(
    now: Instant,
    until: Instant,
    limit: number,
    queue?: QueueKey | 'LATE',
    owner?: string | null,
  ): Promise<readonly Submission[]>
  /**
   * Settles a claim. Returns false and changes nothing if it was claimed again since, or is no longer
   * enqueued: then another owner decides.
   */
  settle(claimed: ClaimedSubmission, end: ClaimEnd): Promise<boolean>
  /** Makes the submissions due at `now`, as uncertain, that a node which has gone had claimed. */
  free(owner: string, now: Instant): Promise<void>
}
