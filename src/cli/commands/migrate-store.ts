import { readMove, type StoreMove } from '../../config/read-move.ts'
import { StoreUnavailable } from '../../core/ports/store.ts'
import type { Moved } from '../../core/ports/moving.ts'
import type { Flag } from '../arguments.ts'
import { failed, refuse, type Command } from '../command.ts'
import { openLog } from '../log.ts'
import type { ProcessContext } from '../process-context.ts'
import { grouped, progressOf } from '../progress.ts'

const wayFlags: readonly Flag[] = [
  {
    flag: 'from',
    placeholder: 'location',
    description: 'The store to move: sqlite:./path, or postgres://user@host/database.',
  },
  {
    flag: 'to',
    placeholder: 'location',
    description: 'An empty store of the other kind.',
  },
]

/** `nuncio migrate-store`: moves a store to another database. */
export const migrateStore: Command = {
  name: 'migrate-store',
  summary: 'Moves a store from SQLite to PostgreSQL, or back.',
  usage: 'migrate-store --from <location> --to <location>',
  notes: [
    'Stop the service first, on all nodes. The source does not change. After an interruption, repeat ' +
      'the command: it resumes. Finally it reads and compares both stores; before that, no service ' +
      'starts on the target.',
    'A flag shows in the process list: give the password of PostgreSQL by PGPASSWORD.',
  ],
  flags: wayFlags,
  run: async ({ values, faults }, context) => {
    const read = readMove(values)
    if (faults.length > 0 || !read.ok) {
      return refuse(context, 'migrate-store', [...faults, ...(read.ok ? [] : read.faults)])
    }
    return move(read.config, context)
  },
}

async function move(way: StoreMove, context: ProcessContext): Promise<number> {
  const { out, err, clock } = context
  const log = openLog('warn', err, clock)
  const progress = progressOf(context)
  try {
    const moved = await context.moveStore(
      way,
      ({ doing, table, rows, all }) =>
        progress.report({ doing: words[doing], done: rows, all, unit: 'rows', subject: table }),
      log,
    )
    progress.end()
    out.write(movedText(moved))
    return 0
  } catch (error) {
    progress.end()
    err.write(`The store was not moved: ${reasonOf(error)}\n`)
    return failed
  }
}

const words = { moving: 'Moving', comparing: 'Comparing' } as const

function movedText({ before, tables }: Moved): string {
  const rows = [...tables.values()].reduce((sum, table) => sum + table.rows, 0)
  const lines = [...tables]
    .filter(([, table]) => table.rows > 0)
    .map(([name, table]) => `  ${name}  ${grouped(table.rows)}  ${table.digest.slice(0, 16)}`)
  const resumed = before === 0 ? '' : ` ${grouped(before)} of them had been moved before.`
  return (
    `${lines.join('\n')}\n` +
    `Moved ${grouped(rows)} rows; counts and digests are the same on both sides.${resumed}\n` +
    'Set NUNCIO_STORE to the new store. Never start the old one again.\n'
  )
}

/** Returns the reason of a failed move. A `StoreUnavailable` also says how to fix it. */
function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  if (error instanceof StoreUnavailable) return `${message}.`
  return `${message}\nCheck that both can be reached, and that address, user and password are right; then run it again.`
}
