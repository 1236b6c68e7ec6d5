import { httpFields } from '../../../src/carriers/http/settings.ts'
import { readFileSync } from 'node:fs'
import { goalsTable, provenance } from '../../../bench/reporting/tables.ts'
import { simulatorType } from '../../../src/carriers/simulator/simulator.ts'
import { alertFields } from '../../../src/collections/alerts.ts'
import { builtIn } from '../../../src/collections/built-in.ts'
import { messages } from '../../../src/collections/messages.ts'
import { common } from '../../../src/engine/compiled.ts'
import { settingsTable } from '../../../src/config/settings-table.ts'
import { qualifiedName } from '../../../src/core/declaration/collection.ts'
import type { Field, Fields } from '../../../src/core/declaration/field.ts'
import { formats } from '../../../src/core/declaration/format.ts'
import { problems } from '../../../src/core/problem.ts'
import { limitsTable } from './limits.ts'

/** So many fields a notification has. */
const recordFields = 14

/** Tables that follow from the source, by the name in the comments around them. */
const tables: ReadonlyMap<string, string> = new Map([
  ['settings', settingsTable().trim()],
  ['problems', problemsTable()],
  ['limits', limitsTable()],
  ['figures', figuresTable()],
  ['fields of a notification', recordTable()],
  ['settings of a simulator', fieldsTable(simulatorType(200).settings)],
  ['settings of a carrier over HTTP', fieldsTable(httpFields)],
  ['fields of an alert', alertTable()],
  ...builtIn.map((each) => [`fields of ${qualifiedName(each)}`, fieldsTable(each.fields)] as const),
])

const place = /(<!-- (.+): begin -->\n)([^]*?)(<!-- \2: end -->)/g

/** A page with its tables as they follow from the source. Throws for a name that is none. */
export function withTables(page: string): string {
  return page.replace(place, (_, begin: string, name: string, __, end: string) => {
    const table = tables.get(name)
    if (table === undefined) throw new Error(`there is no table "${name}"`)
    return `${begin}\n${table}\n\n${end}`
  })
}

/** What the bench found when its report was made last. */
function figuresTable(): string {
  const data = new URL('../../../bench/report/data.json', import.meta.url)
  const results = JSON.parse(readFileSync(data, 'utf8'))
  return `${goalsTable(results)}\n\n${provenance(results)}`
}

function problemsTable(): string {
  const rows = Object.entries(problems).map(
    ([name, [status, , cure]]) => `| ${status} | \`${name}\` | ${cure} |`,
  )
  return ['| status | `/problems/…` | meaning, and what to do |', '|---|---|---|', ...rows].join(
    '\n',
  )
}

/** The record of a notification is how a message begins. */
function recordTable(): string {
  const fields: Fields = { ...common, ...messages.fields }
  const rows = ['id', ...Object.keys(messages.fields)].slice(0, recordFields).map((name) => {
    const field = fields[name]
    return `| \`${name}\` | ${field && kindOf(field)} | ${field?.description} |`
  })
  return ['| field | value | meaning |', '|---|---|---|', ...rows].join('\n')
}

function alertTable(): string {
  const rows = Object.entries<Field>(alertFields).map(([name, field]) => {
    return `| \`${name}\` | ${kindOf(field)} | ${field.description} |`
  })
  return ['| field | value | meaning |', '|---|---|---|', ...rows].join('\n')
}

function fieldsTable(fields: Fields): string {
  const rows = Object.entries(fields)
    .filter(([, field]) => field.internal !== true)
    .map(([name, field]) => {
      const { description = '' } = field
      return `| \`${name}\` | ${kindOf(field)} | ${givenBy(field)} | ${description} |`
    })
  return ['| field | value | if you leave it out | meaning |', '|---|---|---|---|', ...rows].join(
    '\n',
  )
}

/** What becomes of a field that a request is silent about. */
function givenBy(field: Field): string {
  if (field.readOnly) return 'set by the service'
  if (field.required) return 'required'
  if (field.default !== undefined) return `\`${JSON.stringify(field.default)}\``
  return field.writeOnly ? 'unchanged' : '`null`'
}

function kindOf(field: Field): string {
  return field.nullable && !field.writeOnly ? `${valueOf(field)}, or null` : valueOf(field)
}

function valueOf(field: Field): string {
  switch (field.kind) {
    case 'text':
      return field.format === undefined
        ? `text${range(field.minLength, field.maxLength, 'characters')}`
        : formats[field.format].description
    case 'integer':
      return `whole number${range(field.minimum, field.maximum)}`
    case 'number':
      return `number${range(field.minimum, field.maximum)}`
    case 'boolean':
      return 'true or false'
    case 'timestamp':
      return 'time'
    case 'choice':
      return field.enum.map((value) => `\`${value}\``).join(', ')
    case 'array':
      return `array of ${valueOf(field.items)}${range(field.minItems, field.maxItems, 'items')}`
    case 'object':
      if (field.open === true) return 'object'
      return `object of ${Object.keys(field.properties)
        .map((name) => `\`${name}\``)
        .join(', ')}`
    case 'map':
      return `object of your own names, ${valueOf(field.values)}${range(0, field.maxProperties, 'members')}`
    case 'reference':
      return `identifier in \`${field.collection}\``
  }
}

function range(minimum: number | undefined, maximum: number | undefined, of = ''): string {
  const unit = of === '' ? '' : ` ${of}`
  const most = maximum?.toLocaleString('en')
  if (minimum !== undefined && minimum > 0 && most !== undefined) {
    return ` (${minimum.toLocaleString('en')} to ${most}${unit})`
  }
  if (most !== undefined)
    return of === '' ? ` (${minimum ?? ''} to ${most})` : ` (up to ${most}${unit})`
  return minimum === undefined || minimum === 0 ? '' : ` (at least ${minimum}${unit})`
}
