import { isJsonObject, type JsonObject, type JsonValue } from '../../core/json.ts'
import { paint, printable } from '../printable.ts'
import type { ProcessContext } from '../process-context.ts'

type Shown = Pick<ProcessContext, 'out' | 'environment'>

/** States and statuses with a colour. */
const goodStates = new Set(['DELIVERED', 'BOUND', 'ACTIVE'])
const badStates = new Set(['FAILED', 'UNKNOWN', 'DOWN', 'DISABLED', 'RETRYING'])

/** Returns a table of instances: aligned with names on a terminal, else separated by tabs. */
export function tableText(
  instances: readonly JsonObject[],
  columns: readonly string[],
  context: Shown,
): string {
  const texts = instances.map((each) => columns.map((column) => cellText(valueAt(each, column))))
  if (!context.out.terminal) return texts.map((row) => `${row.join('\t')}\n`).join('')

  const rows = texts.map((row) => row.map(shortened))
  const { faint } = paint(context)
  const widths = columns.map((column, index) =>
    Math.max(column.length, ...rows.map((row) => row[index]?.length ?? 0)),
  )
  const most = context.out.columns ?? Infinity
  const line = (cells: readonly string[], dye: (text: string) => string): string =>
    `${fitted(cells, widths, most).map(dye).join('  ').trimEnd()}\n`
  return [
    line(columns, faint),
    ...rows.map((row) => line(row, (text) => painted(text, context))),
  ].join('')
}

/** Returns the fields of an instance, one per line: aligned on a terminal, else separated by tabs. */
export function factsText(instance: JsonObject, context: Shown): string {
  const facts = factsOf(instance, '')
  const { faint } = paint(context)
  const width = Math.max(...facts.map(([name]) => name.length))
  const line = ([name, text]: readonly [string, string]): string =>
    context.out.terminal
      ? `${faint(name.padEnd(width))}  ${painted(text, context)}`.trimEnd()
      : `${name}\t${text}`
  return facts.map((fact) => `${line(fact)}\n`).join('')
}

/** Returns the columns for any collection: the id and the first fields with plain values. */
export function usualColumns(instances: readonly JsonObject[]): readonly string[] {
  const names = new Set(instances.flatMap((each) => Object.keys(each)))
  const isPlain = (name: string): boolean =>
    instances.every((each) => typeof each[name] !== 'object' || each[name] === null)
  return ['id', ...[...names].filter((name) => !always.has(name) && isPlain(name)).slice(0, 6)]
}

const always = new Set(['id', 'createdAt', 'updatedAt'])

function factsOf(object: JsonObject, before: string): readonly (readonly [string, string])[] {
  return Object.entries(object).flatMap(([name, value]) =>
    isJsonObject(value) && Object.keys(value).length > 0
      ? factsOf(value, `${before}${name}.`)
      : [[`${before}${name}`, cellText(value)] as const],
  )
}

function valueAt(value: JsonValue | undefined, path: string): JsonValue | undefined {
  return path
    .split('.')
    .reduce<JsonValue | undefined>(
      (object, name) => (isJsonObject(object) ? object[name] : undefined),
      value,
    )
}

function cellText(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return ''
  if (Array.isArray(value) && value.every((item: JsonValue) => typeof item !== 'object')) {
    return printable(value.join(','))
  }
  return printable(typeof value === 'object' ? JSON.stringify(value) : String(value))
}

/** Pads the cells; cuts those that do not fit into a line. */
function fitted(
  cells: readonly string[],
  widths: readonly number[],
  most: number,
): readonly string[] {
  let left = most
  return cells.flatMap((cell, index) => {
    const width = Math.min(widths[index] ?? 0, left)
    left -= width + 2
    if (width <= 0) return []
    return [cell.length > width ? `${cell.slice(0, width - 1)}…` : cell.padEnd(width)]
  })
}

/** Returns a time in seconds, and a status without a detail that is the literal null. */
function shortened(text: string): string {
  return text
    .replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)\.\d{3}Z$/, '$1 $2')
    .replace(/^([A-Z]+)\.null$/, '$1')
}

function painted(text: string, context: Shown): string {
  const state = /^([A-Z]+)(\.\w+)?\s*$/.exec(text)?.[1] ?? ''
  const { good, bad } = paint(context)
  if (goodStates.has(state)) return good(text)
  return badStates.has(state) ? bad(text) : text
}
