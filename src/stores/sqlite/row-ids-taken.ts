import type { LogPosition } from '../../core/ports/notification-log.ts'
import type { SqlConnection } from '../sql/connection.ts'
import type { PlacesTaken } from '../sql/moving/store-end.ts'
import { placeOf } from '../sql/log/notification-log.ts'
import { numberIn } from '../sql/rows/row.ts'

/** Makes the table that says, while a move lasts, where entries were in the log that they came from. */
export const takenPlaces = `
  create table if not exists taken_places (
    first integer not null, second integer not null, place integer not null,
    primary key (first, second)) without rowid`

/**
 * The places of a log of PostgreSQL: entries are counted anew, from 1. A place between two entries, or
 * behind one that is gone, becomes that of the entry before it.
 */
export function placesTaken(connection: SqlConnection): PlacesTaken {
  return {
    entry: (_, count) => [count],
    note: async (from, count) => {
      for (const [index, [first = 0, second = 0]] of from.entries()) {
        await connection.run(note, [first, second, count + index])
      }
    },
    of: async (position: LogPosition) => {
      const [first = '0', second = '0'] = position.split(':')
      const row = await connection.first(before, [Number(first), Number(second)])
      return String(row === undefined ? 0 : numberIn(row[0])) as LogPosition
    },
    toSql: placeOf,
  }
}

const note = 'insert into taken_places (first, second, place) values (?, ?, ?)'
const before = `
  select place from taken_places where (first, second) <= (?, ?)
  order by first desc, second desc limit 1`
