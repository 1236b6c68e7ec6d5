/**
 * Claims what is due and gives it as it was: now, limit, until. What another node claims at this
 * moment is passed over, so that no two wait for each other.
 */
export const claimStatement = `
  with due as (
    select account, message, due_at, attempt, uncertain from submissions where due_at <= ?
    order by due_at, account, message limit ? for update skip locked),
  taken as (
    update submissions as s set due_at = ?, attempt = s.attempt + 1, uncertain = 1
    from due where s.account = due.account and s.message = due.message)
  select account, message, attempt, uncertain from due order by due_at, account, message`
