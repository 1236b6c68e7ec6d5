import type { Lease, NamedLeases, BucketLevel, Buckets } from '../../../core/ports/leases.ts'
import { roles, type NodeRecord, type Nodes } from '../../../core/ports/nodes.ts'
import { addSubmission } from '../../commit.ts'
import type { SqlConnection, Row } from '../connection.ts'
import { numberIn, textIn } from '../rows/row.ts'
import { freeClaims } from './submissions.ts'
import type { Work } from '../work.ts'

/** Which nodes there are, in a table of one row each. */
export function sqlNodes(work: Work): Nodes {
  const { connection, dialect, effects } = work
  return {
    time: async (now) => {
      if (dialect.time === null) return now
      return numberIn((await connection.first(dialect.time, []))?.[0] ?? now)
    },
    beat: async (node, now, until) => {
      await connection.run(beat, [node.id, node.roles.join(','), node.sharedState, until])
      return (await connection.all(live, [now])).map(nodeIn)
    },
    expired: async (now, isForgotten = false) => {
      const rows = await connection.all(isForgotten ? forget : expired, [now])
      return rows.map(([id]) => textIn(id))
    },
    freeClaims: async (id, now) => {
      if ((await freeClaims(work, id, now)) > 0) addSubmission(effects, now)
    },
    leave: async (id) => {
      await connection.run(leave, [id])
    },
  }
}

/** Leases by name, in a table of one row each. */
export function sqlLeases(connection: SqlConnection): NamedLeases {
  return {
    take: async (names, owner, now, until) => {
      const taken: Lease[] = []
      // In one order, so that two who take the same never wait for each other.
      for (const name of names.toSorted()) {
        const row = await connection.first(take, [name, owner, until, now])
        if (row !== undefined) taken.push({ name, fence: numberIn(row[0]) })
      }
      return taken
    },
    release: async (names, owner) => {
      for (const name of names.toSorted()) await connection.run(release, [name, owner])
    },
  }
}

/** Levels are stored in thousandths. */
const parts = 1000

/** Rates that are shared, in a table of one row each. */
export function sqlBuckets(connection: SqlConnection): Buckets {
  return {
    level: async (name): Promise<BucketLevel | null> => {
      await connection.lockName(['bucket', name])
      const row = await connection.first(level, [name])
      if (row === undefined) return null
      return { tokens: numberIn(row[0]) / parts, filledAt: numberIn(row[1]) }
    },
    put: async (name, { tokens, filledAt }) => {
      await connection.run(put, [name, Math.round(tokens * parts), filledAt])
    },
  }
}

function nodeIn([id, given, told]: Row): NodeRecord {
  const names = textIn(given).split(',')
  return {
    id: textIn(id),
    roles: roles.filter((role) => names.includes(role)),
    sharedState: textIn(told),
  }
}

const beat = `
  insert into nodes (id, roles, shared_state, lease_expires_at) values (?, ?, ?, ?)
  on conflict (id) do update set
    roles = excluded.roles, shared_state = excluded.shared_state,
    lease_expires_at = excluded.lease_expires_at`
const expired = 'select id from nodes where lease_expires_at <= ? order by id'
const forget = 'delete from nodes where lease_expires_at <= ? returning id'
const live = 'select id, roles, shared_state from nodes where lease_expires_at > ? order by id'
const leave = 'delete from nodes where id = ?'
const take = `
  insert into leases (name, owner, fencing_token, lease_expires_at) values (?, ?, 1, ?)
  on conflict (name) do update set owner = excluded.owner, lease_expires_at = excluded.lease_expires_at,
    fencing_token = leases.fencing_token + case when leases.owner = excluded.owner then 0 else 1 end
  where leases.owner = excluded.owner or leases.lease_expires_at <= ?
  returning fencing_token`
// The row stays, so that the next fence is greater.
const release = "update leases set owner = '', lease_expires_at = 0 where name = ? and owner = ?"
const level = 'select tokens, filled_at from buckets where name = ?'
const put = `
  insert into buckets (name, tokens, filled_at) values (?, ?, ?)
  on conflict (name) do update set tokens = excluded.tokens, filled_at = excluded.filled_at`
