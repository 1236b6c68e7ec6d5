import { readDistribution } from '../../config/read-distribution.ts'
import type { DistributionReport } from '../../core/ports/distribution.ts'
import { StoreUnavailable } from '../../core/ports/store.ts'
import type { Flag } from '../arguments.ts'
import { failed, refuse, type Command } from '../command.ts'
import { openLog } from '../log.ts'
import { grouped, progressOf } from '../progress.ts'

const distributionFlags: readonly Flag[] = [
  {
    flag: 'store',
    placeholder: 'location',
    description: 'The store: postgres://user@coordinator/database.',
  },
  {
    flag: 'shards',
    placeholder: 'count',
    description: 'In how many pieces each table is cut, at most 256.',
    note: 'Default: 32. Cannot change later: take at least twice the workers that there will ever be.',
  },
  {
    flag: 'check',
    placeholder: null,
    description: 'Changes nothing: shows the distributed tables, and how evenly. Nodes may run.',
  },
]

/** `nuncio distribute`: distributes a store over the workers of a Citus cluster. */
export const distribute: Command = {
  name: 'distribute',
  summary: 'Distributes a PostgreSQL store over the workers of a Citus cluster.',
  usage: 'distribute --store <location> [--shards <count>] [--check]',
  notes: [
    'Stop the service first, on all nodes. After an interruption, repeat the command: it resumes with the ' +
      'remaining tables; before that, no node starts. Once all tables are distributed it changes nothing.',
    '--check exits with 1 if the distribution is not finished, or a worker does not respond.',
    'A flag shows in the process list: give the password of PostgreSQL by PGPASSWORD.',
  ],
  flags: distributionFlags,
  run: async ({ values, switches, faults }, context) => {
    const read = readDistribution(values)
    if (faults.length > 0 || !read.ok) {
      return refuse(context, 'distribute', [...faults, ...(read.ok ? [] : read.faults)])
    }
    const { out, err, clock } = context
    const isLook = switches.has('check')
    const progress = progressOf(context)
    try {
      const report = await context.distributeStore(
        { ...read.config, isLook },
        ({ table, done, all }) =>
          progress.report({ doing: 'Distributing', done, all, unit: 'tables', subject: table }),
        openLog('warn', err, clock),
      )
      progress.end()
      out.write(reportText(report))
      return isLook && !isSound(report) ? failed : 0
    } catch (error) {
      progress.end()
      const failure = isLook
        ? 'The distribution could not be read'
        : 'The store was not distributed'
      err.write(`${failure}: ${reasonOf(error, isLook)}\n`)
      return failed
    }
  },
}

function isSound({ state, workers }: DistributionReport): boolean {
  return state !== 'unfinished' && workers.every(({ isReached }) => isReached)
}

const stateTexts: Readonly<Record<DistributionReport['state'], string>> = {
  none: 'The store is not distributed.',
  unfinished: 'The distribution is not finished: run "nuncio distribute" again.',
  complete: 'The store is distributed.',
}

function reportText({ state, distributed, pieces, others, workers }: DistributionReport): string {
  const lines = workers.map(({ worker, isReached, cells, messages, bytes }) => {
    const content = `${grouped(messages)} messages, ${grouped(Math.round(bytes / 1024))} KiB`
    return `  ${worker}  ${cells} cells, ${isReached ? content : 'does not respond'}\n`
  })
  return (
    `${stateTexts[state]}\n` +
    `Distributed: ${distributed.length === 0 ? 'none' : distributed.join(', ')}\n` +
    `On the coordinator: ${others.join(', ')}\n` +
    (lines.length === 0 ? '' : `Each in ${pieces} pieces. Workers:\n${lines.join('')}`)
  )
}

/** Returns the reason of a failure. A `StoreUnavailable` also says how to fix it. */
function reasonOf(error: unknown, isLook: boolean): string {
  const message = error instanceof Error ? error.message : String(error)
  if (error instanceof StoreUnavailable) return `${message}.`
  if (isLook) return message
  return `${message}\nTables are distributed one by one: run it again once the cause is gone.`
}
