import type { NamedLeases } from '../../../core/ports/leases.ts'
import { numberIn, textIn } from '../rows/row.ts'
import type { Session } from '../session.ts'

/** What nodes share, in a table of one row each. */
export function sqlLeases({ connection, dialect }: Session): NamedLeases {
  return {
    take: async (names, owner, now, until, value = '') => {
      const taken: string[] = []
      // In one order, so that two who take the same never wait for each other.
      for (const name of names.toSorted()) {
        if ((await connection.run(take, [name, owner, until, value, now])) > 0) taken.push(name)
      }
      return taken
    },
    release: async (names, owner, endedAt = Number.MAX_SAFE_INTEGER) => {
      const released: string[] = []
      for (const name of names.toSorted()) {
        if ((await connection.run(release, [name, owner, endedAt])) > 0) released.push(name)
      }
      return released
    },
    list: async (prefix, now) => {
      const time = dialect.time === null ? [now] : connection.first(dialect.time, [])
      const [row, rows] = await Promise.all([time, connection.all(list, [prefix.length, prefix])])
      const leases = rows.map(([name, owner, until, value]) => ({
        name: textIn(name),
        owner: textIn(owner),
        until: numberIn(until),
        value: textIn(value),
      }))
      return { now: numberIn(row?.[0] ?? now), leases }
    },
    read: async (name) => {
      await connection.lockName(['lease', name])
      const row = await connection.first(read, [name])
      return row === undefined ? null : textIn(row[0])
    },
  }
}

const take = `
  insert into leases (name, owner, lease_expires_at, value) values (?, ?, ?, ?)
  on conflict (name) do update set owner = excluded.owner,
    lease_expires_at = excluded.lease_expires_at, value = excluded.value
  where leases.owner = excluded.owner or leases.lease_expires_at <= ?`
const release = 'delete from leases where name = ? and owner = ? and lease_expires_at <= ?'
const list = `
  select name, owner, lease_expires_at, value from leases where substr(name, 1, ?) = ? order by name`
const read = 'select value from leases where name = ?'
