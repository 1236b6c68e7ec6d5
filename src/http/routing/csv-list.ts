import type { ServedVersion } from '../../versions/versions.ts'
import { qualifiedName } from '../../core/declaration/collection.ts'
import type { Fields } from '../../core/declaration/field.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../core/json.ts'
import type { MaybePromise } from '../../core/maybe-promise.ts'
import type { OperationRequest } from '../../engine/operation.ts'
import type { FilterParameter } from '../../engine/query/filter-parameters.ts'
import type { PlainResponse } from '../server/request.ts'

/** Instances that are read at a time: the next ones when the client has read these. */
const pageSize = 500

/**
 * Responds with a list as CSV, page by page: all of it, or the page that the parameters name. Faults of the
 * request are found with the first page; a later one ends the stream before its end.
 */
export async function csvList(
  request: OperationRequest,
  read: (request: OperationRequest) => MaybePromise<PlainResponse>,
  version: ServedVersion,
): Promise<PlainResponse> {
  const isOnePage = request.parameters.some(([name]) => name === 'page' || name === 'pageSize')
  const kept = request.parameters.filter(([name]) => name !== 'after')
  const size: FilterParameter = ['pageSize', String(pageSize)]
  const columns = columnsOf(request, version)
  const first = await read(
    isOnePage ? request : { ...request, parameters: [...request.parameters, size] },
  )
  // A client can leave at any time, and a HEAD never asks for the rows: the page that counts is released once.
  let page: PlainResponse | null = first
  const release = (): void => {
    page?.written?.()
    page = null
  }
  const rows = async function* (): AsyncGenerator<string> {
    try {
      yield csvHeader(columns)
      for (let next: PlainResponse | null = first; next !== null; page = next) {
        yield linesOf(next, columns)
        release()
        const after: string | null = isOnePage ? null : nextOf(next)
        next =
          after === null
            ? null
            : await read({ ...request, parameters: [...kept, size, ['after', after]] })
      }
    } finally {
      release()
    }
  }
  return {
    status: 200,
    headers: {
      'content-type': 'text/csv; charset=utf-8; header=present',
      'content-disposition': `attachment; filename="${request.compiled.declared.name}.csv"`,
      vary: 'Accept',
      ...(isOnePage && first.headers['link'] !== undefined ? { link: first.headers['link'] } : {}),
    },
    body: rows(),
    written: release,
  }
}

/** Returns the columns of the collection that is shown, as the version has it. */
function columnsOf(
  { compiled, parameters }: OperationRequest,
  version: ServedVersion,
): readonly CsvColumn[] {
  const shown = compiled.members ?? compiled.declared
  const fields = Object.entries(shown.fields)
    .filter(([, field]) => field.writeOnly !== true && field.internal !== true)
    .map(([name]) => name)
  const newest = ['id', ...fields, 'createdAt', 'updatedAt']
  const blank = Object.fromEntries(newest.map((name) => [name, null]))
  const names = Object.keys(version.translation(qualifiedName(shown))?.instanceDown(blank) ?? blank)
  const asked = parameters
    .filter(([name]) => name === 'fields')
    .flatMap(([, text]) => text.split(','))
  const selected =
    asked.length === 0 ? names : names.filter((name) => name === 'id' || asked.includes(name))
  return csvColumns(selected, shown.fields)
}

function linesOf({ body }: PlainResponse, columns: readonly CsvColumn[]): string {
  const page: JsonValue = typeof body === 'string' ? JSON.parse(body) : []
  const instances: readonly JsonObject[] = Array.isArray(page) ? page.filter(isJsonObject) : []
  return instances.map((instance) => csvLine(columns, instance)).join('')
}

/** Returns the cursor of the next page; null if there is none. */
function nextOf({ headers }: PlainResponse): string | null {
  const target = /<([^>]*)>; rel="next"/.exec(headers['link'] ?? '')?.[1]
  return target === undefined ? null : new URLSearchParams(target.split('?')[1]).get('after')
}

/** A column: the path of a value in an instance. */
type CsvColumn = readonly string[]

/** Returns the columns of fields: an object has one for each of its members. */
function csvColumns(names: readonly string[], fields: Fields): readonly CsvColumn[] {
  return names.flatMap((name) => {
    const field = fields[name]
    if (field?.kind !== 'object' || field.open === true) return [[name]]
    const members = csvColumns(Object.keys(field.properties), field.properties)
    return members.map((path) => [name, ...path])
  })
}

/** Returns the line with the names of columns. */
function csvHeader(columns: readonly CsvColumn[]): string {
  return lineOf(columns.map((path) => path.join('.')))
}

/** Returns the line of an instance (RFC 4180). */
function csvLine(columns: readonly CsvColumn[], instance: JsonObject): string {
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
