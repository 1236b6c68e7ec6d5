import { type AccountId, accountId } from '../../../core/account.ts'
import type { Consumer, Consumers } from '../../../core/ports/consumers.ts'
import type { SqlConnection, Row, SqlValue } from '../connection.ts'
import { inSets } from '../lists/in-sets.ts'
import { positionIn } from './notification-log.ts'
import type { Session } from '../session.ts'
import { numberIn, textIn } from '../rows/row.ts'
import { forgetAll, sqlSetAside } from './dead-letters.ts'

/** The webhooks' places in the log. Fences are counted over all webhooks, so that none comes twice. */
export function sqlConsumers(session: Session): Consumers {
  const { connection, dialect } = session
  const add = addBehind(dialect.position.end)
  const free = freeAt(dialect.skipLocked)
  const all = (sql: string, params: readonly SqlValue[]) => connection.all(sql, params)
  const run = (sql: string, params: readonly SqlValue[]) => connection.run(sql, params)

  return {
    add: async (account, webhookId, progress) => {
      await run(add, [account, webhookId, progress])
    },
    find: (account, webhookId) => findConsumer(connection, account, webhookId),
    remove: async (account, webhookId) => {
      await run(remove, [account, webhookId])
      await run(forgetAll, [account, webhookId])
    },
    lease: async (owner, now, until, limit) => {
      const rows = await all(free, [now, limit])
      if (rows.length === 0) return []
      const fence = await nextFence(connection)
      const consumers = rows.map(consumerIn)
      for (const { account, webhookId } of consumers) {
        await run(take, [owner, fence, until, account, webhookId])
      }
      return consumers.map((consumer) => Object.assign(consumer, { fencingToken: fence }))
    },
    renew: async (owner, now, until) => run(renew, [until, owner, now]),
    census: async (owner) => {
      const row = await connection.first(census, [owner])
      return { all: numberIn(row?.[0] ?? 0), held: numberIn(row?.[1] ?? 0) }
    },
    releaseConsumers: async (consumers) => {
      for (const { account, webhookId, fencingToken: fence } of consumers.toSorted(inOrder)) {
        await run(giveBack, [account, webhookId, fence])
      }
    },
    release: async (owner) => {
      await run(release, [owner])
    },
    advance: async ({ account, webhookId, position, progress, fencingToken: fence }) => {
      const place = dialect.position.toSql(position)
      return (await run(advance, [place, progress, account, webhookId, fence])) > 0
    },
    reset: async (account, webhookId, progress) => {
      await run(reset, [progress, account, webhookId])
    },
    ...sqlSetAside(session),
  }
}

/** How far a webhook is in the log. */
export async function findConsumer(
  connection: SqlConnection,
  account: AccountId,
  webhookId: string,
): Promise<Consumer | null> {
  const row = await connection.first(find, [account, webhookId])
  return row === undefined ? null : consumerIn(row)
}

async function nextFence(connection: SqlConnection): Promise<number> {
  await connection.run(countFence, [])
  const row = await connection.first(fence, [])
  return row === undefined ? 1 : numberIn(row[0])
}

function consumerIn([account, webhook, position, progress]: Row): Consumer {
  return {
    account: accountId(textIn(account)),
    webhookId: textIn(webhook),
    position: positionIn(position),
    progress: textIn(progress),
  }
}

/** Always in one order, so that two who write the same rows do not wait for each other. */
function inOrder(a: Consumer, b: Consumer): number {
  return a.account < b.account || (a.account === b.account && a.webhookId < b.webhookId) ? -1 : 1
}

const one = 'account = ? and webhook = ?'
const columns = 'account, webhook, position, progress'
const nobody = 'owner = null, held_until = 0'

const addBehind = (end: string): string => `
  insert into consumers (account, webhook, position, progress, owner, fence, held_until)
  values (?, ?, ${end}, ?, null, 0, 0)
  on conflict (account, webhook) do update set
    position = excluded.position, progress = excluded.progress, ${nobody}`
const find = `select ${columns} from consumers where ${one}`
const remove = `delete from consumers where ${one}`
const freeAt = (skipLocked: string): string => `
  select ${columns} from consumers where owner is null or held_until <= ?
  order by account, webhook limit ? ${skipLocked}`
const take = `update consumers set owner = ?, fence = ?, held_until = ? where ${one}`
const renew = 'update consumers set held_until = ? where owner = ? and held_until > ?'
const census = `
  select count(*), coalesce(sum(case when owner = ? then 1 else 0 end), 0) from consumers`
const giveBack = `update consumers set ${nobody} where ${one} and fence = ? and owner is not null`
const release = `update consumers set ${nobody} where owner = ?`
const advance = `${inSets}
  update consumers set position = ?, progress = ?
  where ${one} and fence = ? and owner is not null`
const reset = `update consumers set progress = ?, ${nobody} where ${one}`
const countFence = `
  insert into meta (name, value) values ('fence', '1')
  on conflict (name) do update set value = cast(cast(meta.value as bigint) + 1 as text)`
const fence = "select value from meta where name = 'fence'"
