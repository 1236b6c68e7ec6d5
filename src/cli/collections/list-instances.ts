import type { JsonObject } from '../../core/json.ts'
import { wait } from '../../core/ports/clock.ts'
import type { GivenArguments } from '../command.ts'
import { printable } from '../printable.ts'
import type { ProcessContext } from '../process-context.ts'
import { watchShutdown } from '../watch-shutdown.ts'
import { listRequest, type AnyCollection, type AnyListRequest } from './any-collection.ts'
import { tableText, usualColumns } from './instance-text.ts'

/** The wait between two reads of a watched list. */
const watchMs = 2_000

/** Instances of a watched page on a terminal, so that it fits onto the screen. */
const watchedRows = '20'

/** Prints a page of a list; with `--watch` again and again until Ctrl-C. */
export async function listInstances(
  collection: AnyCollection,
  columns: readonly string[] | null,
  given: GivenArguments,
  context: ProcessContext,
): Promise<void> {
  const { switches } = given
  const request = listRequest(given.fields)
  const named = request.where['fields']?.flatMap((each) => each.split(','))
  const shown = named === undefined ? columns : ['id', ...named.filter((each) => each !== 'id')]
  const isJson = switches.has('json')
  if (switches.has('watch')) return watch(collection, shown, request, isJson, context)

  const { items, next } = await collection.list(request)
  const { out, err } = context
  if (isJson) out.write(`${JSON.stringify(items, null, 2)}\n`)
  else if (items.length > 0) out.write(tableText(items, shown ?? usualColumns(items), context))
  if (items.length === 0 && out.terminal && !isJson) err.write('Nothing found.\n')
  if (next !== null && out.terminal && !isJson) {
    err.write(`More: repeat the command with --after ${printable(next)}\n`)
  }
}

async function watch(
  collection: AnyCollection,
  columns: readonly string[] | null,
  request: AnyListRequest,
  isJson: boolean,
  context: ProcessContext,
): Promise<void> {
  const { out, clock } = context
  const { signal } = watchShutdown(context)
  const draws = out.terminal && !isJson
  const where = draws ? { pageSize: [watchedRows], ...request.where } : request.where
  let seen: ReadonlyMap<string, string> = new Map()
  while (!signal.aborted) {
    const page = await readUntil(signal, () => collection.list({ where }, { signal }))
    if (page === null) return
    const { items } = page
    if (draws) {
      // ECMA-48: the cursor moves to the first place, and the rest of the screen is erased.
      out.write(`\u001b[H\u001b[J${tableText(items, columns ?? usualColumns(items), context)}`)
    } else {
      const texts = new Map(items.map((item) => [String(item['id']), JSON.stringify(item)]))
      const changed = items.filter((item) => {
        const id = String(item['id'])
        return seen.get(id) !== texts.get(id)
      })
      out.write(changedText(changed, columns ?? usualColumns(items), isJson, context))
      seen = texts
    }
    await wait(clock, watchMs, signal)
  }
}

/** Returns the lines of the instances that are new or changed since the last read. */
function changedText(
  changed: readonly JsonObject[],
  columns: readonly string[],
  isJson: boolean,
  context: ProcessContext,
): string {
  if (!isJson) return tableText(changed, columns, context)
  return changed.map((item) => `${JSON.stringify(item)}\n`).join('')
}

/** Returns what `read` returns; null if the signal came first. */
async function readUntil<T>(signal: AbortSignal, read: () => Promise<T>): Promise<T | null> {
  try {
    return await read()
  } catch (error) {
    if (signal.aborted) return null
    throw error
  }
}
