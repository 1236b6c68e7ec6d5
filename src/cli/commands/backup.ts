import { parsers } from '../../config/parsers.ts'
import { settings } from '../../config/settings.ts'
import type { StoreLocation } from '../../config/store-location.ts'
import { postgresUrlForPrograms } from '../../core/postgres-urls.ts'
import { StoreUnavailable } from '../../core/ports/store.ts'
import type { Flag } from '../arguments.ts'
import { failed, refuse, type Command } from '../command.ts'
import type { ProcessContext } from '../process-context.ts'
import { progressOf } from '../progress.ts'

const flags: readonly Flag[] = [
  {
    flag: 'store',
    placeholder: 'location',
    description: 'The store to back up.',
    note: `Also NUNCIO_STORE; default ${settings.store.default}.`,
  },
  { flag: 'to', placeholder: 'file', description: 'A new file for the copy.' },
]

/** `nuncio backup`: copies an SQLite store while the service runs. */
export const backup: Command = {
  name: 'backup',
  summary: 'Copies the SQLite file of a running service; names the command for PostgreSQL.',
  usage: 'backup --to <file> [--store <location>]',
  notes: ['The copy is the state at the start of the command. Only its owner can read the file.'],
  flags,
  run: async ({ values, faults }, context) => {
    const { store = context.environment['NUNCIO_STORE'] ?? settings.store.default, to } = values
    const read = parsers.store.parse(store)
    const all = [
      ...faults,
      ...(read.ok ? [] : [`--store ${read.rule}.`]),
      ...(to === undefined ? ['--to is missing: the path of a new file.'] : []),
    ]
    if (!read.ok || to === undefined || all.length > 0) return refuse(context, 'backup', all)
    return backUp(read.value, to, context)
  },
}

async function backUp(
  location: StoreLocation,
  to: string,
  context: ProcessContext,
): Promise<number> {
  switch (location.kind) {
    case 'sqlite':
      return copy(location.file, to, context)
    case 'postgres':
      context.out.write(postgresText(location.url, to))
      return 0
    case 'memory':
      return refuse(context, 'backup', ['--store names a store in memory: it has no file.'])
  }
}

async function copy(from: string, to: string, context: ProcessContext): Promise<number> {
  const { out, err } = context
  const progress = progressOf(context)
  try {
    await context.backUp(from, to, ({ copied, all }) =>
      progress.report({ doing: 'Copying', done: copied, all, unit: 'pages', subject: '' }),
    )
    progress.end()
    out.write(`Copied ${from} to ${to}.\n`)
    return 0
  } catch (error) {
    progress.end()
    const reason = error instanceof Error ? error.message : String(error)
    const cure =
      error instanceof StoreUnavailable ? '' : ' Check space and rights; then run it again.'
    err.write(`The store was not copied: ${reason}.${cure}\n`)
    return failed
  }
}

function postgresText(url: string, to: string): string {
  const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`
  const command = `pg_dump --format=custom --file=${quoted(to)} ${quoted(postgresUrlForPrograms(url))}`
  return (
    'PostgreSQL copies a store itself. Run this, with the password in PGPASSWORD:\n' +
    `  (umask 077 && ${command})\n`
  )
}
