import type { Fields } from '../../core/declaration/field.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../core/json.ts'

/** A column: the path of a value in an instance. */
export type CsvColumn = readonly string[]

/** Returns the columns of fields: an object has one for each of its members. */
export function csvColumns(names: readonly string[], fields: Fields): readonly CsvColumn[] {
  return names.flatMap((name) => {
    const field = fields[name]
    if (field?.kind !== 'object' || field.open === true) return [[name]]
    const members = csvColumns(Object.keys(field.properties), field.properties)
    return members.map((path) => [name, ...path])
  })
}

/** Returns the line with the names of columns. */
export function csvHeader(columns: readonly CsvColumn[]): string {
  return lineOf(columns.map((path) => path.join('.')))
}

/** Returns the line of an instance (RFC 4180). */
export function csvLine(columns: readonly CsvColumn[], instance: JsonObject): string {
  return lineOf(columns.map((path) => cellOf(valueAt(instance, path))))
}

function lineOf(cells: readonly string[]): string {
  return `${cells.map(quoted).join(',')}\r\n`
}

function valueAt(instance: JsonObject, path: CsvColumn): JsonValue {
  return path.reduce<JsonValue>(
    (value, name) => (isJsonObject(value) ? (value[name] ?? null) : null),
    instance,
  )
}

function cellOf(value: JsonValue): string {
  if (value === null) return ''
  if (typeof value === 'string') return harmless(value)
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/**
 * A spreadsheet runs a text that begins like a formula, perhaps behind blanks or in full width, and anybody may have
 * sent it. Signed numbers, such as telephone numbers, are no formulas.
 */
function harmless(text: string): string {
  return /^(?:[\t\r\n]|[\s\ufeff]*[=+\-@\uff1d\uff0b\uff0d\uff20])/.test(text) &&
    !/^[+-]\d+(\.\d+)?$/.test(text)
    ? `'${text}`
    : text
}

function quoted(cell: string): string {
  return /["\r\n,]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}
