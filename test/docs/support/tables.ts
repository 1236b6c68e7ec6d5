import { alertFields } from '../../../src/collections/alerts.ts'
import { builtIn } from '../../../src/collections/built-in.ts'
import { messages, recordNames } from '../../../src/collections/messages.ts'
import { common } from '../../../src/engine/compiled.ts'
import { settingsTable } from '../../../src/config/settings-table.ts'
import type { Command, CommandWord } from '../../../src/cli/command.ts'
import { commands } from '../../../src/cli/commands.ts'
import { qualifiedName, type Collection } from '../../../src/core/declaration/collection.ts'
import type { Field, Fields } from '../../../src/core/declaration/field.ts'
import { formats } from '../../../src/core/declaration/format.ts'
import { problems } from '../../../src/core/problem.ts'
import { carrierTypes } from '../../../src/wiring/wire-carriers.ts'
import { limitsTable } from './limits.ts'
import { metricsTable } from './metrics.ts'

/** The parts of pages that follow from the source, by the name in the comments around them. */
const tables = new Map<string, () => string | Promise<string>>([
  ['settings', () => settingsTable().trim()],
  ['problems', problemsTable],
  ['limits', limitsTable],
  ['commands', commandSections],
  ['metrics', metricsTable],
  ['collections', collectionSections],
  ['settings of carriers', carrierSettings],
  ['fields of a notification', recordTable],
  ['fields of an alert', alertTable],
])

const place = /(<!-- (.+): begin -->\n)([^]*?)(<!-- \2: end -->)/g

/** Returns a page with its tables as they follow from the source. Throws for an unknown name. */
export async function withTables(page: string): Promise<string> {
  const written = new Map<string, string>()
  for (const [, , name = ''] of page.matchAll(place)) {
    const table = tables.get(name)
    if (table === undefined) throw new Error(`there is no table "${name}"`)
    written.set(name, await table())
  }
  return page.replace(place, (_, begin: string, name: string, __, end: string) => {
    return `${begin}\n${written.get(name)}\n\n${end}`
  })
}

function problemsTable(): string {
  const rows = Object.entries(problems).map(
    ([name, [status, , cure]]) => `| ${status} | \`${name}\` | ${cure} |`,
  )
  return ['| status | `/problems/…` | meaning, and what to do |', '|---|---|---|', ...rows].join(
    '\n',
  )
}

/** A section for each collection that clients reach. */
function collectionSections(): string {
  return builtIn
    .filter(({ methods }) => methods.collection.length + methods.instance.length > 0)
    .map(collectionSection)
    .join('\n\n')
}

function collectionSection(each: Collection): string {
  const name = qualifiedName(each)
  const { methods, searchedBy } = each
  const facts = [
    `- Path: \`/v1/${each.parent === null ? name : `${each.parent}/{id}/${each.name}`}\``,
    `- Methods: ${listOf(methods.collection)}; of an instance ${listOf(methods.instance)}`,
    `- Default order: ${each.order === 'newestFirst' ? 'newest' : 'oldest'} first`,
    ...(searchedBy.length === 0 ? [] : [`- \`search\` looks into ${listOf(searchedBy)}`]),
    ...accessOf(each),
  ]
  const fields =
    each.membersOf === null
      ? fieldsTable(each.fields)
      : `Its fields are those of \`${each.membersOf}\`.`
  return [`## ${name}`, each.description, facts.join('\n'), fields].join('\n\n')
}

function accessOf(each: Collection): readonly string[] {
  if (each.administratorsOnly) return ['- Access: administrators only']
  return each.changedByAdministrators ? ['- Access: only administrators write'] : []
}

function listOf(names: readonly string[]): string {
  return names.length === 0 ? 'none' : names.map((name) => `\`${name}\``).join(', ')
}

function carrierSettings(): string {
  const unused = (): never => {
    throw new Error('no request is sent while pages are written')
  }
  const carrierGuard = { permits: unused, refusal: unused }
  const clock = { now: unused, monotonic: unused, after: unused }
  return carrierTypes({ simulatorDelayMs: 200 }, { send: unused, clock, carrierGuard })
    .map(({ type, settings }) => `### Settings of ${type}\n\n${fieldsTable(settings)}`)
    .join('\n\n')
}

/** A section for each command of the program. */
function commandSections(): string {
  return commands.map(commandSection).join('\n\n')
}

function commandSection({ name, summary, usage, words = [], notes = [], flags }: Command): string {
  const rows = flags.map(({ flag, placeholder, description, note = '' }) => {
    const value = placeholder === null ? '' : ` <${placeholder}>`
    return `| \`--${flag}${value}\` | ${`${description} ${note}`.trim().replaceAll('|', '\\|')} |`
  })
  const table =
    name === 'serve'
      ? 'Its flags are [the settings](configuration.md).'
      : ['| flag | meaning |', '|---|---|', ...rows].join('\n')
  return [
    `## ${name}`,
    `\`nuncio ${usage}\``,
    [summary, ...notes].join('\n\n'),
    ...(words.length === 0 ? [] : [wordTable(words)]),
    ...(flags.length === 0 ? [] : [table]),
  ].join('\n\n')
}

function wordTable(words: readonly CommandWord[]): string {
  const rows = words.map(({ word, object, summary }) => {
    const name = object === undefined ? word : `${word} <${object.placeholder}>`
    return `| \`${name}\` | ${summary} |`
  })
  return ['| word | effect |', '|---|---|', ...rows].join('\n')
}

/** A notification consists of the first fields of a message. */
function recordTable(): string {
  const fields: Fields = { ...common, ...messages.fields }
  const rows = recordNames.map((name) => {
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

/** The value of a field that a request leaves out. */
function givenBy(field: Field): string {
  if (field.readOnly) return 'set by the service'
  if (field.required) return 'required'
  if (field.default !== undefined) return `\`${JSON.stringify(field.default)}\``
  if (field.nullable === 'input') return 'chosen by the service'
  return field.writeOnly ? 'unchanged' : '`null`'
}

function kindOf(field: Field): string {
  return field.nullable === true && !field.writeOnly ? `${valueOf(field)}, or null` : valueOf(field)
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
      return `object with any names, ${valueOf(field.values)}${range(0, field.maxProperties, 'members')}`
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
