import type { DatabaseSync } from 'node:sqlite'

/**
 * Gives the submissions of an earlier version lanes, where what waits stays in the one without a name, and
 * claims the name of whoever has them.
 */
export function addQueueColumns(database: DatabaseSync): void {
  const names = database
    .prepare('pragma table_info(submissions)')
    .all()
    .map((row) => row['name'])
  if (names.length === 0) return
  if (!names.includes('claimed_by')) {
    database.exec('alter table submissions add column claimed_by text')
  }
  if (names.includes('lane')) return
  database.exec("alter table submissions add column lane text not null default ''")
  database.exec('alter table submissions add column priority bigint not null default 1')
  database.exec('alter table submissions add column late_at bigint')
  database.exec('drop index if exists submissions_due')
}
