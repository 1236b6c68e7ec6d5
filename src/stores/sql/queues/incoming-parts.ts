import type { IncomingKey, IncomingParts, KeptPart } from '../../../core/ports/incoming-parts.ts'
import type { SqlConnection, Row } from '../connection.ts'
import { numberIn, numberOrNullIn, textIn } from '../rows/row.ts'

/** The parts of incoming messages in a table, one row each. */
export function sqlIncomingParts(connection: SqlConnection): IncomingParts {
  return {
    keep: async (part) => {
      const { protocolId, content, joined, expiresAt } = part
      await connection.run(keep, [
        ...keyValues(part),
        part.part,
        JSON.stringify({ protocolId, content }),
        joined ? 1 : 0,
        expiresAt,
      ])
    },
    of: async (key) => {
      // Two that take in a part each must not both find the other's missing.
      await connection.lockName(['parts', ...keyValues(key)])
      return (await connection.all(ofMessage, keyValues(key))).map(partIn)
    },
    join: async (key, expiresAt) => {
      await connection.run(join, [expiresAt, ...keyValues(key)])
    },
    forget: async (key) => {
      await connection.run(forget, keyValues(key))
    },
    overdue: async (now, limit) => (await connection.all(overdue, [now, limit])).map(keyIn),
    nextOverdueAt: async () => {
      const row = await connection.first(nextOverdue, [])
      return row === undefined ? null : numberOrNullIn(row[0])
    },
    trim: async (now, limit) => connection.run(trim, [now, limit]),
  }
}

function keyValues({ carrier, from, to, reference, total }: IncomingKey) {
  return [carrier, from, to, reference, total]
}

function keyIn([carrier, from, to, reference, total]: Row): IncomingKey {
  return {
    carrier: textIn(carrier),
    from: textIn(from),
    to: textIn(to),
    reference: textIn(reference),
    total: numberIn(total),
  }
}

function partIn(row: Row): KeptPart {
  const [part, content, joined, expiresAt] = row.slice(keyColumns)
  return {
    ...keyIn(row),
    part: numberIn(part),
    ...(JSON.parse(textIn(content)) as Pick<KeptPart, 'protocolId' | 'content'>),
    joined: numberIn(joined) === 1,
    expiresAt: numberIn(expiresAt),
  }
}

const key = 'carrier, sender, recipient, reference, total'
const keyColumns = 5
const columns = `${key}, part, content, joined, expires_at`
const ofKey = 'carrier = ? and sender = ? and recipient = ? and reference = ? and total = ?'

const keep = `
  insert into incoming_parts (${columns}) values (?, ?, ?, ?, ?, ?, ?, ?, ?)
  on conflict (${key}, part) do update set
    content = excluded.content, joined = excluded.joined, expires_at = excluded.expires_at`
const ofMessage = `select ${columns} from incoming_parts where ${ofKey} order by part`
const join = `update incoming_parts set joined = 1, expires_at = ? where ${ofKey}`
const forget = `delete from incoming_parts where ${ofKey}`
const overdue = `
  select ${key} from incoming_parts where joined = 0 and expires_at <= ?
  group by ${key} order by min(expires_at), ${key} limit ?`
const nextOverdue = 'select min(expires_at) from incoming_parts where joined = 0'
const trim = `
  delete from incoming_parts where (${key}, part) in
    (select ${key}, part from incoming_parts
      where joined = 1 and expires_at <= ? order by expires_at limit ?)`
