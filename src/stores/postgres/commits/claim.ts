import type { Claimable } from '../../sql/queues/claimable.ts'

/**
 * Claims what is due and gives it as it was: the values of the condition, limit, node, until. What another
 * node claims at this moment is passed over, so that no two wait for each other.
 */
export const claimStatement = ({ slice, where, by }: Claimable): string => `
  with due as (
    select cell, account, message, due_at, late_at, attempt, claimed_until, queue, priority
    from submissions where ${slice.holds()} and ${where} order by ${by} limit ? for update skip locked),
  taken as (
    update submissions as s set claimed_until = e.claim_end, attempt = s.attempt + 1,
      due_at = least(s.due_at, e.claim_end), claimed_by = ?::text || ' ' || (s.attempt + 1)
    from due, (select ?::bigint as claim_end) as e
    where ${slice.holds('s.cell')} and s.cell = due.cell and s.account = due.account and s.message = due.message)
  select account, message, attempt, claimed_until, queue, priority from due
  order by ${by}, cell, account, message`
