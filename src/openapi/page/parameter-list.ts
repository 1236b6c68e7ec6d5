import type { OpenApiOperation, OpenApiParameter, PathItem } from '../document.ts'
import { limitLine } from './field-list.ts'
import type { Lookup } from './lookup.ts'
import { markup, type Markup } from './markup.ts'
import { inline } from './prose.ts'
import { typeWords } from './type-words.ts'

/** The parameters of an operation: those with a name of their own, then the filters of a list. */
export function parameterList(
  path: PathItem,
  operation: OpenApiOperation,
  lookup: Lookup,
): Markup | null {
  const all = [...(path.parameters ?? []), ...(operation.parameters ?? [])].map(lookup.parameter)
  const comparisons = all.find(isComparisons)
  const filters = all.filter(isFilter)
  const plain = all.filter((each) => !isFilter(each) && !isComparisons(each))
  if (plain.length === 0) return null
  return markup`<h4>Parameters</h4>
<dl class="parameters">${plain.map(item)}</dl>${
    filters.length === 0 ? null : filterList(filters, comparisons, lookup)
  }`
}

/** A filter may be repeated as it is; what takes commas, or an order, is none. */
function isFilter({ in: place, name, schema, explode }: OpenApiParameter): boolean {
  return place === 'query' && schema.type === 'array' && name !== 'sort' && explode !== false
}

/** An object in the query stands for its members. */
function isComparisons({ in: place, explode }: OpenApiParameter): boolean {
  return place === 'query' && explode === true
}

function item(parameter: OpenApiParameter): Markup {
  const { name, in: place, required, schema } = parameter
  // The fields that lists can be sorted by, and cut down to, are listed as fields already.
  const limited =
    name === 'sort' || name === 'fields' || place === 'path' ? null : limitLine(schema)
  return markup`
<div><dt><code>${name}</code> <span class="type">${place}</span>${
    required === true ? markup` <span class="flag required">required</span>` : null
  }</dt>
<dd><p>${inline(parameter.description)}</p>${limited}</dd></div>`
}

function filterList(
  filters: readonly OpenApiParameter[],
  comparisons: OpenApiParameter | undefined,
  lookup: Lookup,
): Markup {
  const { properties = {}, patternProperties = {} } =
    comparisons === undefined ? {} : lookup.schema(comparisons.schema)
  const rows = filters.map(({ name, schema }) => {
    const suffixes = Object.keys(properties)
      .filter((each) => isSuffixed(each, name))
      .map((each) => markup`<code>${each.slice(name.length)}</code> `)
    return markup`
<div><dt><code>${name}</code> <span class="type">${typeWords(schema.items ?? schema)}</span></dt>
<dd>${limitLine({ ...schema.items })}<span class="suffixes">${suffixes}</span></dd></div>`
  })
  const inMaps = Object.keys(patternProperties).map(
    (pattern) => markup`<code>${readable(pattern)}</code> `,
  )
  return markup`
<details class="filters"><summary>Filters by ${filters.length} fields</summary>
<p>${inline(note)}</p>
<dl>${rows}</dl>${inMaps.length === 0 ? null : markup`<p>Also ${inMaps}with the same suffixes.</p>`}
</details>`
}

const note =
  'Each field as it is, or with a suffix. `_like` takes `*` for any characters; `null` matches null.'

function isSuffixed(name: string, field: string): boolean {
  return name.startsWith(`${field}_`) && /^_[a-z]+$/.test(name.slice(field.length))
}

/** The pattern of a name in a map, as people write it: `attributes.<name>`. */
function readable(pattern: string): string {
  return pattern
    .replace(/^\^/, '')
    .replace(/\(_\(.*$/, '')
    .replaceAll('[^.]+', '<name>')
    .replaceAll('\\', '')
}
