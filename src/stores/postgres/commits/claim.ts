import type { Claimable } from '../../sql/queues/claimable.ts'

/**
 * Claims due rows and returns their former values. Parameters: until, node, the values of the condition,
 * limit. Rows that another node claims at this moment are skipped, so that no two nodes wait for each
 * other.
 */
export const claimStatement = ({ slice, where, by }: Claimable): string => `
  with due as (
    select cell, account, message, due_at, late_at, attempt, claimed_until, queue, priority,
      ?::bigint as claim_end, ?::text as claimer
    from submissions where ${slice.holds()} and ${where} order by ${by} limit ? for update skip locked),
  taken as (
    update submissions as s set claimed_until = due.claim_end, attempt = s.attempt + 1,
      due_at = least(s.due_at, due.claim_end), claimed_by = due.claimer || ' ' || (s.attempt + 1)::text
    from due
    where ${slice.holds('s.cell')} and s.cell = due.cell and s.account = due.account and s.message = due.message)
  select account, message, attempt, claimed_until, queue, priority from due
  order by ${by}, cell, account, message`
