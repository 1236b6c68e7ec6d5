import type { Schema } from '../document.ts'
import { joined, markup, type Markup } from './markup.ts'

/** What kind of value a schema takes, in few words: `array of string or null`. */
export function typeWords(schema: Schema): string {
  const { type = [], anyOf = [] } = schema
  const all = (typeof type === 'string' ? [type] : type).map((name) => {
    if (name === 'array')
      return schema.items === undefined ? name : `array of ${typeWords(schema.items)}`
    return name === 'object' && typeof schema.additionalProperties === 'object'
      ? `map of ${typeWords(schema.additionalProperties)}`
      : name === 'string'
        ? (schema.format ?? name)
        : name
  })
  const alternatives = anyOf.map((each) =>
    each.const === undefined ? typeWords(each) : `\`${String(each.const)}\``,
  )
  return [...new Set([...all, ...alternatives])].join(' or ').replaceAll('`', '')
}

/** The limits of a schema, each in a few words. */
export function limits(schema: Schema): readonly Markup[] {
  const inner = schema.items ?? objectValues(schema)
  return [
    ...(schema.enum === undefined ? [] : [choices(schema.enum)]),
    ...span(schema.minLength, schema.maxLength, 'character'),
    ...span(schema.minimum, schema.maximum, null),
    ...(schema.pattern === undefined ? [] : [markup`matches <code>${schema.pattern}</code>`]),
    ...span(schema.minItems || undefined, schema.maxItems, 'item'),
    ...span(undefined, schema.maxProperties, 'member'),
    ...(schema.uniqueItems === true ? [markup`no item twice`] : []),
    ...(inner === undefined ? [] : limits(inner)),
  ]
}

function objectValues({ additionalProperties }: Schema): Schema | undefined {
  return typeof additionalProperties === 'object' ? additionalProperties : undefined
}

function choices(values: NonNullable<Schema['enum']>): Markup {
  const shown = values.map((value) => markup`<code>${String(value)}</code>`)
  return markup`one of ${joined(shown, ', ')}`
}

/** “1 to 64 characters”, “at least 1”, “at most 20 members”. */
function span(
  least: number | undefined,
  most: number | undefined,
  noun: string | null,
): readonly Markup[] {
  if (least === undefined && most === undefined) return []
  const what = noun === null ? '' : ` ${noun}${(most ?? least) === 1 ? '' : 's'}`
  const number = (value: number): string => value.toLocaleString('en')
  if (least === undefined) return [markup`at most ${number(most ?? 0)}${what}`]
  if (most === undefined) return [markup`at least ${number(least)}${what}`]
  return [markup`${number(least)} to ${number(most)}${what}`]
}
