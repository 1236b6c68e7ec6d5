import { spawnSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { binaries } from '../../test/support/postgres/binaries.ts'
import { defaultAccount } from '../../src/core/account.ts'
import { cellOf } from '../../src/stores/cell.ts'
import { askedFrom, canPin, command } from '../processes.ts'

/** A run of pgbench. */
export interface PgbenchRun {
  readonly program: string
  readonly url: string
  /** How many ask the service. */
  readonly clients: number
  readonly seconds: number
  readonly folder: string
}

/** The program of this machine, or of the server that npm brings; null where there is neither. */
export function findPgbench(): string | null {
  const own = join(dirname(binaries().postgres), 'pgbench')
  const found = spawnSync('which', ['pgbench'], { encoding: 'utf8' }).stdout.trim()
  return found !== '' ? found : existsSync(own) ? own : null
}

/** As many connections as a node has to the database, where nothing is said. */
const nodeConnections = 20

/** Each connection reads what tables there are first: seconds that are not counted. */
const warmUpSeconds = 2

/**
 * The most that pgbench comes to: with as many clients as the service has, or as many connections as a
 * node has to the database, whichever is more.
 */
export async function pgbench(run: PgbenchRun): Promise<number> {
  const all: number[] = []
  for (const clients of [run.clients, nodeConnections]) all.push(await runOnce({ ...run, clients }))
  const best = Math.max(...all)
  if (best === 0) throw new Error('pgbench inserted nothing')
  return best
}

/**
 * Messages a second that pgbench inserts into the tables of the service: the three insertions of one
 * accepted message, each a statement as the service writes it, and a transaction around them.
 */
async function runOnce(run: PgbenchRun): Promise<number> {
  const { program, url, clients, seconds, folder } = run
  const script = join(folder, 'insert.sql')
  writeFileSync(script, insertions)
  const time = ['-T', String(seconds + warmUpSeconds), '-P', '1']
  const flags = ['-n', '-M', 'prepared', '-c', String(clients), '-j', '1', ...time]
  const { child, printed } = command({
    program,
    args: [...flags, '-D', 'n=0', '-f', script, url],
    env: {},
    cwd: folder,
    core: canPin ? askedFrom : 0,
  })
  await new Promise((resolve) => child.once('exit', resolve))
  const rates = [...printed().matchAll(/progress: [\d.]+ s, ([\d.]+) tps/g)].map(([, rate]) =>
    Number(rate),
  )
  const counted = rates.slice(warmUpSeconds)
  if (rates.length === 0) throw new Error(`pgbench failed:\n${printed()}`)
  // Where a machine is so busy that not all have begun by now, this run is not the better one.
  if (counted.length === 0) return 0
  return counted.reduce((sum, rate) => sum + rate, 0) / counted.length
}

/** What the report says that it does. */
export const pgbenchDoes =
  'pgbench does nothing but the insertions of one accepted message, in tables that the service made: ' +
  'the message, its notification and its submission, with the same columns and ' +
  'as many octets, three prepared statements in a transaction of their own, so five with its beginning and ' +
  'its end. It is taken with as many clients as ask the service, and with the 20 connections that ' +
  'a node has to the database, and the better counts'

const at = '2026-11-21T22:12:15.263Z'

/** As long as what the service writes of such a message; the record that webhooks are told lacks what follows. */
const record =
  '"type":"SENT","from":"Nuncio","to":"+4915112345678","body":"Your parcel arrives today at 14:00.",' +
  '"encoding":"TEXT","protocolId":0,"messageClass":1,"numberOfParts":1,"creditCost":1,' +
  `"submission":{"id":"submission_01m802nks7eebv1qpvwrvpjbwn","date":"${at}"},` +
  '"status":{"id":"SCHEDULED.null","type":"SCHEDULED"},"relatedSentMessageId":null,"userSuppliedId":null'
const rest =
  ',"scheduledAt":"2027-12-24T02:00:00.000Z","validUntil":null,"carrier":"carrier_simulator","priority":1,' +
  `"history":[{"status":"SCHEDULED.null","date":"${at}"}],"createdAt":"${at}","updatedAt":"${at}"`

/** In the order of time, as the service makes them. */
const id = "'message_01' || lpad(:n::text, 18, '0') || lpad(:client_id::text, 6, '0')"

/** A text in JSON with the identifier in front; pgbench takes a colon before a letter for a variable. */
const text = (members: string): string =>
  `'{"id":"' || ${id} || '",${members.replace(/:(?=[a-z])/g, '=')}}'`

const cell = cellOf(defaultAccount)

const insertions = `
\\set n :n + 1
begin;
insert into submissions (cell, account, message, due_at, attempt, queue, priority, late_at)
  values (${cell}, 'account_default', ${id}, 1829613600000, 0, 'carrier_simulator', 1, null)
  on conflict (cell, account, message) do update set due_at = excluded.due_at,
    claimed_until = case when submissions.claimed_until is not null then excluded.due_at end,
    queue = excluded.queue, priority = excluded.priority, late_at = excluded.late_at;
insert into log (cell, account, position, at, type, status, message, record)
  values (${cell}, 'account_default', :n * 1000 + :client_id, (extract(epoch from now()) * 1000)::bigint,
    'SENT', 'SCHEDULED', ${id}, ${text(record)});
insert into "c/messages" (cell, account, id, revision, hidden, "f/to", "f/user_supplied_id",
    "f/created_at", doc, search)
  values (${cell}, 'account_default', ${id}, 'oTrBltndWMxEGSc2qnaNEX', null, '+4915112345678', null,
    '${at}', ${text(record + rest)}, 'your parcel arrives today at 14:00.')
  on conflict (cell, account, id) do nothing;
commit;
`
