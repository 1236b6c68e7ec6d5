import type { Schema, Tag } from '../document.ts'
import { fieldList } from './field-list.ts'
import { jsonSample } from './json-sample.ts'
import type { Lookup } from './lookup.ts'
import { markup, type Markup } from './markup.ts'
import { answerSchema, bodySchema, operationSection, type Placed } from './operation-section.ts'
import { anchor, prose } from './prose.ts'

/** A group of operations with the fields of what they are about. */
export interface Group {
  readonly tag: Tag
  readonly operations: readonly Placed[]
}

/** Where a group stands on the page. */
export function groupAnchor({ name }: Tag): string {
  return `about-${anchor(name)}`
}

/** A collection on the page: what it is, its fields, its operations. */
export function collectionSection(group: Group, lookup: Lookup): Markup {
  const { tag, operations } = group
  const id = groupAnchor(tag)
  return markup`
<section class="group" id="${id}" aria-labelledby="${id}-title">
<h2 id="${id}-title">${tag.name}</h2>
${prose(tag.description ?? '')}${fields(group, lookup)}
${operations.map((operation) => operationSection(operation, lookup))}
</section>`
}

function fields({ operations }: Group, lookup: Lookup): Markup | null {
  const shown = operations.filter(({ outgoing }) => !outgoing).map(({ operation }) => operation)
  const answers = shown.map((operation) => answerSchema(operation, lookup)).filter(isPresent)
  const [instance] = answers.map((schema) => lookup.item(schema))
  if (instance?.properties === undefined) return null
  const bodies = shown.flatMap((operation) => bodySchema(operation) ?? [])
  const [input] = bodies.map(lookup.schema)
  const revealed = answers.flatMap((schema) => lookup.schema(schema).allOf?.slice(1) ?? [])[0]
  const [example] = instance.examples ?? []
  return markup`<div class="about">
<div class="words">
<h3>Fields</h3>
${fieldList(instance, input ?? null, revealed ?? null, lookup)}
</div>
<div class="sample">${example === undefined ? null : jsonSample(example)}</div>
</div>`
}

function isPresent(schema: Schema | null): schema is Schema {
  return schema !== null
}
