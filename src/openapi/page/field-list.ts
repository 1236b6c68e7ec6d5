import type { Schema } from '../document.ts'
import type { Lookup } from './lookup.ts'
import { joined, markup, type Markup } from './markup.ts'
import { inline } from './prose.ts'
import { limits, typeWords } from './type-words.ts'

/** A field on the page: how it is shown, and what a client can send for it. */
interface Line {
  readonly name: string
  readonly schema: Schema
  /** What a client sends for it; null where it sends nothing. */
  readonly sent: Schema | null
  /** Words beside its type. */
  readonly flags: readonly string[]
}

/** The fields of a collection: those of an instance, with what the input says of each. */
export function fieldList(
  instance: Schema,
  input: Schema | null,
  revealed: Schema | null,
  lookup: Lookup,
): Markup {
  const secret = Object.entries(input?.properties ?? {})
    .filter(([, schema]) => schema.writeOnly === true)
    .map(([name, schema]): Line => {
      const isShown = revealed?.properties?.[name] !== undefined
      return {
        name,
        schema,
        sent: schema,
        flags: ['write only', ...(isShown ? ['shown once'] : [])],
      }
    })
  const once = Object.entries(revealed?.properties ?? {})
    .filter(([name]) => input?.properties?.[name] === undefined)
    .map(([name, schema]): Line => ({ name, schema, sent: null, flags: ['shown once'] }))
  const all = [...linesOf(instance, input, lookup), ...secret, ...once]
  return markup`<dl class="fields">${all.map((line) => item(line, lookup))}</dl>`
}

/** The members of an object, with what a client can send for each. */
function linesOf(shown: Schema, input: Schema | null, lookup: Lookup): readonly Line[] {
  return Object.entries(shown.properties ?? {}).map(([name, schema]): Line => {
    const given = input?.properties?.[name]
    const sent = given === undefined ? null : lookup.schema(given)
    if (schema.readOnly === true || sent?.readOnly === true) {
      return { name, schema, sent: null, flags: ['read only'] }
    }
    const flags = input?.required?.includes(name) === true ? ['required'] : []
    return { name, schema, sent, flags }
  })
}

function item({ name, schema, sent, flags }: Line, lookup: Lookup): Markup {
  const lines = linesOf(schema.items ?? schema, sent?.items ?? sent, lookup)
  return markup`
<div><dt><code>${name}</code> <span class="type">${typeWords(schema)}</span>${flags.map(flag)}</dt>
<dd>${description(schema)}${limitLine(schema)}${
    lines.length === 0
      ? null
      : markup`<dl class="fields inner">${lines.map((line) => item(line, lookup))}</dl>`
  }</dd></div>`
}

function flag(word: string): Markup {
  return markup` <span class="flag ${word.replaceAll(' ', '-')}">${word}</span>`
}

function description({ description: text }: Schema): Markup | null {
  return text === undefined ? null : markup`<p>${inline(text)}</p>`
}

/** The limits of a schema, as a line. */
export function limitLine(schema: Schema): Markup | null {
  const all = limits(schema)
  if (all.length === 0) return null
  return markup`<p class="limits">${joined(all, ' · ')}</p>`
}
