import { Client } from 'pg'

/** What PostgreSQL has written so far. */
interface Written {
  /** Octets of the write-ahead log. */
  readonly wal: number
  readonly updates: number
  readonly hotUpdates: number
  /** Octets of the database's files. */
  readonly size: number
  readonly checkpoints: number
}

/** What messages cost PostgreSQL in writes. */
export interface WriteCost {
  readonly walPerMessage: number
  /** The share of updates that wrote no index. */
  readonly hotShare: number
  readonly gibPerMillion: number
  /** Checkpoints within the run: whole pages that follow one count for it. */
  readonly checkpoints: number
}

/** The time after which every connection has reported its updates. */
const reportedMs = 1500

/** Measures what work writes, which sends so many messages. */
export async function writeCost<T>(
  url: string,
  messages: number,
  work: () => Promise<T>,
): Promise<readonly [T, WriteCost]> {
  const before = await writtenIn(url)
  const result = await work()
  await new Promise((resolve) => setTimeout(resolve, reportedMs))
  const after = await writtenIn(url)
  const updates = after.updates - before.updates
  const cost = {
    walPerMessage: (after.wal - before.wal) / messages,
    hotShare: updates === 0 ? 1 : (after.hotUpdates - before.hotUpdates) / updates,
    gibPerMillion: ((after.size - before.size) / messages) * (1_000_000 / 2 ** 30),
    checkpoints: after.checkpoints - before.checkpoints,
  }
  return [result, cost]
}

async function writtenIn(url: string): Promise<Written> {
  const [row = []] = await rowsOf(url, written)
  const [wal, updates, hotUpdates, size, checkpoints] = row
  return {
    wal: Number(wal),
    updates: Number(updates),
    hotUpdates: Number(hotUpdates),
    size: Number(size),
    checkpoints: Number(checkpoints),
  }
}

/** Returns the transactions of a database that ended. */
export async function transactionsIn(url: string): Promise<number> {
  const [row = []] = await rowsOf(url, transactions)
  return Number(row[0])
}

async function rowsOf(url: string, text: string): Promise<readonly (readonly unknown[])[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<unknown[]>({ text, rowMode: 'array' })
    return rows
  } finally {
    await client.end()
  }
}

const written = `
  select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0'),
    (select coalesce(sum(n_tup_upd), 0) from pg_stat_user_tables),
    (select coalesce(sum(n_tup_hot_upd), 0) from pg_stat_user_tables),
    pg_database_size(current_database()),
    (select num_timed + num_requested from pg_stat_checkpointer)`

const transactions = `
  select xact_commit + xact_rollback from pg_stat_database where datname = current_database()`
