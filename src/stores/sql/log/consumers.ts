import { type AccountId, accountId } from '../../../core/account.ts'
import type {
  Consumer,
  ConsumerHold,
  Consumers,
  LeasedConsumer,
} from '../../../core/ports/consumers.ts'
import { cellOf } from '../../cell.ts'
import type { SqlConnection, Row, SqlValue } from '../connection.ts'
import { inSets } from '../fragment.ts'
import { endOfLog, numberOf, positionIn } from './notification-log.ts'
import type { Dialect } from '../dialect.ts'
import type { Session } from '../session.ts'
import type { Slice } from '../tables/slice.ts'
import { numberIn, textIn } from '../rows/row.ts'

/** The webhooks' places in the log. Fences are counted over all webhooks, so that none comes twice. */
export function sqlConsumers(session: Session): Consumers {
  const { connection, dialect } = session
  const run = (sql: string, params: readonly SqlValue[]) => connection.run(sql, params)

  return {
    put: async (account, webhookId, progress) => {
      const end = numberOf(await endOfLog(connection, dialect, account))
      await run(put, [...keyOf(account, webhookId), end, progress])
    },
    ...sqlConsumerLeases(session),
    advance: async (consumer, { added = [], removed = [] } = {}) => {
      const { account, webhookId, position, progress, fencingToken: fence } = consumer
      const key = keyOf(account, webhookId)
      if ((await run(advance, [numberOf(position), progress, ...key, fence])) === 0) return false
      for (const dead of added) await run(addDeadLetter, [...key, numberOf(dead.position), dead.at])
      for (const delivered of removed) await run(removeDeadLetter, [...key, numberOf(delivered)])
      return true
    },
  }
}

/** Shares webhooks out over the nodes. */
function sqlConsumerLeases({
  connection,
  dialect,
  slices,
}: Session): Pick<Consumers, 'hold' | 'release'> {
  const all = (sql: string, params: readonly SqlValue[]) => connection.all(sql, params)
  const run = (sql: string, params: readonly SqlValue[]) => connection.run(sql, params)
  const lease = async (
    { owner, now, until }: ConsumerHold,
    limit: number,
  ): Promise<readonly LeasedConsumer[]> => {
    const rows: Row[] = []
    for (const slice of slices) {
      const left = limit - rows.length
      if (left > 0) rows.push(...(await all(free(slice, dialect), [now, left])))
    }
    if (rows.length === 0) return []
    const fence = await nextFence(connection)
    const consumers = rows.map(consumerIn)
    for (const { account, webhookId } of consumers) {
      await run(take, [owner, fence, until, ...keyOf(account, webhookId)])
    }
    return consumers.map((consumer) => Object.assign(consumer, { fencingToken: fence }))
  }
  return {
    hold: async (wish) => {
      const { owner, now, until, owners, limit } = wish
      const asked = [owner, now, owner, now, until]
      const rows = await Promise.all(slices.map((slice) => all(census(slice), asked)))
      const [consumers = 0, held = 0, due = 0] = [0, 1, 2].map((at) =>
        sum(rows.map(([row]) => numberIn(row?.[at] ?? 0))),
      )
      if (due > 0) {
        await Promise.all(slices.map((slice) => run(renew(slice), [until, owner, now])))
      }
      const share = Math.ceil(consumers / owners)
      return { leased: await lease(wish, Math.min(share - held, limit)), held, share }
    },
    release: async (held) => {
      if (typeof held === 'string') {
        await Promise.all(slices.map((slice) => run(release(slice), [held])))
        return
      }
      for (const { account, webhookId, fencingToken: fence } of held.toSorted(inOrder)) {
        await run(giveBack, [...keyOf(account, webhookId), fence])
      }
    },
  }
}

/** Removes a webhook with its dead letters. */
export async function removeConsumer(
  connection: SqlConnection,
  account: AccountId,
  webhookId: string,
): Promise<void> {
  await connection.run(remove, keyOf(account, webhookId))
  await connection.run(removeDeadLetters, keyOf(account, webhookId))
}

/** The position of a webhook in the log. */
export async function findConsumer(
  connection: SqlConnection,
  account: AccountId,
  webhookId: string,
): Promise<Consumer | null> {
  const row = await connection.first(find, keyOf(account, webhookId))
  return row === undefined ? null : consumerIn(row)
}

async function nextFence(connection: SqlConnection): Promise<number> {
  await connection.run(countFence, [])
  const row = await connection.first(fence, [])
  return row === undefined ? 1 : numberIn(row[0])
}

function sum(counts: readonly number[]): number {
  return counts.reduce((all, count) => all + count, 0)
}

function consumerIn([account, webhook, position, progress]: Row): Consumer {
  return {
    account: accountId(textIn(account)),
    webhookId: textIn(webhook),
    position: positionIn(position),
    progress: textIn(progress),
  }
}

function keyOf(account: AccountId, webhookId: string): readonly SqlValue[] {
  return [cellOf(account), account, webhookId]
}

/** Sorts locks in a fixed order, which prevents deadlocks. */
function inOrder(a: Consumer, b: Consumer): number {
  const byCell = cellOf(a.account) - cellOf(b.account)
  if (byCell !== 0) return byCell
  return a.account < b.account || (a.account === b.account && a.webhookId < b.webhookId) ? -1 : 1
}

const one = 'cell = ? and account = ? and webhook = ?'
const columns = 'account, webhook, position, progress'
const nobody = 'owner = null, lease_expires_at = 0'

const put = `
  insert into consumers
    (cell, account, webhook, position, progress, owner, fencing_token, lease_expires_at)
  values (?, ?, ?, ?, ?, null, 0, 0)
  on conflict (cell, account, webhook) do update set
    progress = excluded.progress, ${nobody}`
const find = `select ${columns} from consumers where ${one}`
const remove = `delete from consumers where ${one}`
const free = (slice: Slice, { skipLocked }: Dialect): string => `
  select ${columns} from consumers where ${slice.holds()} and (owner is null or lease_expires_at <= ?)
  order by account, webhook limit ? ${skipLocked}`
const take = `update consumers set owner = ?, fencing_token = ?, lease_expires_at = ? where ${one}`
const renew = (slice: Slice): string =>
  `update consumers set lease_expires_at = ? where ${slice.holds()} and owner = ? and lease_expires_at > ?`
/** Counts all consumers, those that an owner still holds, and those of them that are held until another time. */
const census = (slice: Slice): string => `
  select count(*), coalesce(sum(case when owner = ? and lease_expires_at > ? then 1 else 0 end), 0),
    coalesce(sum(case when owner = ? and lease_expires_at > ? and lease_expires_at <> ? then 1 else 0 end), 0)
  from consumers where ${slice.holds()}`
const giveBack = `update consumers set ${nobody} where ${one} and fencing_token = ? and owner is not null`
const release = (slice: Slice): string =>
  `update consumers set ${nobody} where ${slice.holds()} and owner = ?`
const advance = `${inSets}
  update consumers set position = ?, progress = ?
  where ${one} and fencing_token = ? and owner is not null`
const countFence = `
  insert into meta (name, value) values ('fence', '1')
  on conflict (name) do update set value = cast(cast(meta.value as bigint) + 1 as text)`
const fence = "select value from meta where name = 'fence'"
const addDeadLetter = `
  insert into dead_letters (cell, account, webhook, position, at) values (?, ?, ?, ?, ?)
  on conflict (cell, account, webhook, position) do nothing`
const removeDeadLetters = `delete from dead_letters where ${one}`
const removeDeadLetter = `${removeDeadLetters} and position = ?`
