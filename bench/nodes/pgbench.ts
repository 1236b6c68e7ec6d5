import { spawnSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { binaries } from '../../test/support/postgres/binaries.ts'
import { askedFrom, canPin, command } from '../processes.ts'

/** A run of pgbench. */
export interface PgbenchRun {
  readonly program: string
  readonly url: string
  readonly clients: number
  readonly seconds: number
  /** Messages in a transaction. */
  readonly size: number
  readonly folder: string
}

/** The program of this machine, or of the server that npm brings; null where there is neither. */
export function findPgbench(): string | null {
  const own = join(dirname(binaries().postgres), 'pgbench')
  const found = spawnSync('which', ['pgbench'], { encoding: 'utf8' }).stdout.trim()
  return found !== '' ? found : existsSync(own) ? own : null
}

/**
 * Messages a second that pgbench inserts, each with its submission and its notification, into the
 * tables of the service, so many in a transaction.
 */
export async function pgbench(run: PgbenchRun): Promise<number> {
  const { program, url, clients, seconds, size, folder } = run
  const script = join(folder, `insert-${size}.sql`)
  writeFileSync(script, scriptOf(size))
  const flags = ['-n', '-M', 'prepared', '-c', String(clients), '-j', '1', '-T', String(seconds)]
  const { child, printed } = command({
    program,
    args: [...flags, '-f', script, url],
    env: {},
    cwd: folder,
    core: canPin ? askedFrom : 0,
  })
  await new Promise((resolve) => child.once('exit', resolve))
  const perSecond = /tps = ([\d.]+)/.exec(printed())?.[1]
  if (perSecond === undefined) throw new Error(`pgbench failed:\n${printed()}`)
  return Number(perSecond) * size
}

/** Rows as long as those of a short message; identifiers in the order of time, as the service makes them. */
function scriptOf(size: number): string {
  const id = (noun: string): string =>
    `'${noun}_01' || lpad((extract(epoch from clock_timestamp()) * 1000000)::bigint::text, 18, '0') ||
      lpad(((:unique::bigint + n) % 1000000)::text, 6, '0')`
  const from = `from generate_series(1, ${size}) as each (n)`
  const doc = `'{"id":"' || m.id || '${'x'.repeat(docLength)}"}'`
  return `
\\set unique random(1, 1000000000)
begin;
select set_config('nuncio.account', 'account_default', true);
with m as (select ${id('message')} as id ${from}), i as (
  insert into "c/messages" (account, id, revision, hidden, "f/to", "f/status.type",
    "f/user_supplied_id", "f/created_at", doc, search)
  select 'account_default', m.id, 'jYBkqWn8mN7rTq2vXw3z5A', null, '+4915112345678', 'SCHEDULED', null,
    '2026-11-21T12:00:00.000Z', ${doc}, 'your parcel arrives today at 14:00.' from m
  on conflict (account, id) do nothing),
l as (insert into log (account, at, type, status, message, record)
  select 'account_default', (extract(epoch from now()) * 1000)::bigint, 'SENT', 'SCHEDULED', m.id, ${doc} from m)
insert into submissions (account, message, due_at, attempt, uncertain, lane, priority, late_at)
  select 'account_default', m.id, 4102444800000, 0, 0, 'carrier_simulator', 1, null from m
  on conflict (account, message) do nothing;
commit;
`
}

/** So long the JSON of a message is, its identifier apart. */
const docLength = 780
