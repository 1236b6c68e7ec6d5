import type { AccountId } from '../account.ts'
import type { Instant } from './clock.ts'

/** Where a submission waits. What waits in one place is claimed apart from all others. */
export interface QueueKey {
  /** Whoever submits decides what shares a lane; opaque to the store. */
  readonly lane: string
  /** 0 to 3: what is more urgent has the higher number. */
  readonly priority: number
}

/** The place of what is submitted without one. */
export const defaultQueueKey: QueueKey = { lane: '', priority: 1 }

/** A place in which something waits. */
export interface WaitingQueue extends QueueKey {
  /** When the first of it is, or was, due. What is claimed counts from the end of its claim. */
  readonly dueAt: Instant
}

/** A message that is due to be handed to a carrier. */
export interface Submission {
  readonly account: AccountId
  readonly messageId: string
  /** How often it was claimed before. */
  readonly attempt: number
  /** A claim before this one ended without an outcome: the message may be at the carrier already. */
  readonly uncertain: boolean
  readonly place: QueueKey
}

/** Who claims, and until when at most. */
export interface Claimant {
  readonly owner: string
  readonly until: Instant
}

/** One claim of a submission, to be told from those after it. */
export type ClaimedSubmission = Pick<Submission, 'account' | 'messageId' | 'attempt'>

/** The queue of messages to be submitted. */
export interface Submissions {
  /** The places in which something waits, by lane and priority. */
  waiting(): Promise<readonly WaitingQueue[]>
  /**
   * Claims up to `limit` submissions of a place that are due at `now`, the longest due first. Until
   * `until`, or until the node `owner` has gone, nobody else is given them; then they are due again, as
   * uncertain.
   */
  claim(
    now: Instant,
    until: Instant,
    limit: number,
    place?: QueueKey,
    owner?: string | null,
  ): Promise<readonly Submission[]>
  /** Claims, wherever they wait, submissions that had to be claimed before `now`. */
  claimLate(
    now: Instant,
    until: Instant,
    limit: number,
    owner?: string | null,
  ): Promise<readonly Submission[]>
  /**
   * The outcome is known and the message is done with. False where it was claimed again since, or is
   * not waited for any more: then somebody else decides what becomes of it, and nothing is changed.
   */
  finish(claimed: ClaimedSubmission): Promise<boolean>
  /** Takes a message out, whoever has claimed it: it is no more. */
  drop(account: AccountId, messageId: string): Promise<void>
  /**
   * The carrier surely did not take what was claimed: due again at `dueAt`, in another place where one
   * is given. False, and nothing is changed, where it was claimed again since: somebody else may be
   * handing it over.
   */
  postpone(claimed: ClaimedSubmission, dueAt: Instant, place?: QueueKey): Promise<boolean>
  /**
   * The claim ends at `until` instead, or when its node has gone: then the message is due again, as
   * uncertain. False, and nothing is changed, where it was claimed again since.
   */
  extendClaim(claimed: ClaimedSubmission, until: Instant): Promise<boolean>
}
