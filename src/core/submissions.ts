import type { AccountId } from './account.ts'
import type { Instant } from './clock.ts'

/** A message that is due to be handed to a carrier. */
export interface Submission {
  readonly account: AccountId
  readonly messageId: string
  /** How often it was claimed before. */
  readonly attempt: number
  /** A claim before this one ended without an outcome: the message may be at the carrier already. */
  readonly uncertain: boolean
}

/** One claim of a submission, to be told from those after it. */
export type ClaimedSubmission = Pick<Submission, 'account' | 'messageId' | 'attempt'>

/** The queue of messages to be submitted. */
export interface Submissions {
  /**
   * Claims up to `limit` submissions due at `now`, the longest due first. Until `until` nobody else
   * is given them; then they are due again, as uncertain.
   */
  claim(now: Instant, until: Instant, limit: number): Promise<readonly Submission[]>
  /** The outcome is known and the message is done with. */
  finish(account: AccountId, messageId: string): Promise<void>
  /**
   * The carrier surely did not take what was claimed: due again at `dueAt`. Changes nothing where it
   * was claimed again since: somebody else may be handing it over.
   */
  postpone(claimed: ClaimedSubmission, dueAt: Instant): Promise<void>
  /** The time at which the next submission is due, or null. */
  nextDueAt(): Promise<Instant | null>
}
