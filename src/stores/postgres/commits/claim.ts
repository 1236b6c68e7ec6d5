import type { Claimable } from '../../sql/queues/claimable.ts'

/**
 * Claims what is due and gives it as it was: the values of the condition, limit, until, node. What another
 * node claims at this moment is passed over, so that no two wait for each other.
 */
export const claimStatement = ({ where, by }: Claimable): string => `
  with due as (
    select cell, account, message, due_at, late_at, attempt, uncertain, queue, priority
    from submissions where ${where} order by ${by} limit ? for update skip locked),
  taken as (
    update submissions as s set due_at = ?, attempt = s.attempt + 1, uncertain = 1,
      claimed_by = ?::text || ' ' || (s.attempt + 1)
    from due where s.cell = due.cell and s.account = due.account and s.message = due.message)
  select account, message, attempt, uncertain, queue, priority from due order by ${by}`
