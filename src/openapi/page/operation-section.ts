import type { JsonValue } from '../../core/json.ts'
import {
  referredName,
  type Method,
  type OpenApiOperation,
  type PathItem,
  type Schema,
} from '../document.ts'
import { answerList } from './answer-list.ts'
import { curl } from './curl.ts'
import { jsonSample } from './json-sample.ts'
import type { Lookup } from './lookup.ts'
import { joined, markup, type Markup, type Part } from './markup.ts'
import { parameterList } from './parameter-list.ts'
import { inline, prose } from './prose.ts'

/** An operation in its place. */
export interface Placed {
  readonly path: string
  readonly method: Method
  readonly item: PathItem
  readonly operation: OpenApiOperation
  /** Whether the service sends it, rather than takes it. */
  readonly outgoing: boolean
}

/** An operation on the page: what it does and takes beside what it looks like. */
export function operationSection(placed: Placed, lookup: Lookup): Markup {
  const { path, method, item, operation, outgoing } = placed
  const { operationId, summary, description = '' } = operation
  const samples = [
    outgoing ? bodySample(placed, lookup) : request(placed, lookup),
    answerSample(operation, lookup),
  ]
  return markup`
<section class="operation" id="${operationId}" aria-labelledby="${operationId}-title">
<div class="words">
<h3 id="${operationId}-title">${summary}</h3>
<p class="line"><span class="method ${method}">${method.toUpperCase()}</span> <code>${
    outgoing ? 'the url of the webhook' : path
  }</code></p>
${prose(description)}${parameterList(item, operation, lookup)}
${bodyText(operation, lookup)}${answerList(operation, lookup)}
</div>
<div class="sample">${samples}</div>
</section>`
}

/** What a method does, as a label: its name and what it is about. */
export function operationLink({ method, operation }: Placed): Markup {
  const label = markup`<span class="method ${method}">${method.toUpperCase()}</span>`
  return markup`<a href="#${operation.operationId}">${label} ${operation.summary}</a>`
}

/** The schema that a request carries; null where it carries nothing. */
export function bodySchema({ requestBody }: OpenApiOperation): Schema | null {
  return Object.values(requestBody?.content ?? {})[0]?.schema ?? null
}

/** The schema that a success answers with; null where it answers with nothing. */
export function answerSchema(operation: OpenApiOperation, lookup: Lookup): Schema | null {
  const [, value] =
    Object.entries(operation.responses).find(([status]) => status.startsWith('2')) ?? []
  if (value === undefined) return null
  const schema = lookup.response(value).content?.['application/json']?.schema ?? null
  return schema?.anyOf?.[0] ?? schema
}

function bodyText(operation: OpenApiOperation, lookup: Lookup): Markup | null {
  const schema = bodySchema(operation)
  if (schema === null) return null
  const types = Object.keys(operation.requestBody?.content ?? {})
  const { description = '', required = [] } = lookup.item(schema)
  const isList = schema.type === 'array'
  const names =
    required.length === 0 ? null : markup` ${isList ? 'Each has' : 'It needs'} ${listed(required)}.`
  return markup`<h4>Body</h4>
<p>${isList ? 'An array. ' : null}${inline(description)}${names}</p>
<p class="limits">${listed(types)}</p>`
}

function listed(names: readonly string[]): readonly Part[] {
  const codes = names.map((name) => markup`<code>${name}</code>`)
  return joined(codes, ', ')
}

function request({ path, method, item, operation }: Placed, lookup: Lookup): Markup {
  const parameters = (item.parameters ?? []).map(lookup.parameter)
  const target = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const example = parameters.find((parameter) => parameter.name === name)?.example
    return encodeURIComponent(String(example ?? name))
  })
  const pages = (operation.parameters ?? []).some((each) => referredName(each) === 'PageSize')
  const value = exampleOf(bodySchema(operation), lookup)
  const [type = 'application/json'] = Object.keys(operation.requestBody?.content ?? {})
  const line = curl({
    method,
    target: pages ? `${target}?pageSize=20` : target,
    body: value === undefined ? null : { type, value },
  })
  return markup`<pre class="request" tabindex="0"><code>${line}</code></pre>`
}

/** What a receiver gets; of other requests the line of curl shows the body. */
function bodySample({ operation }: Placed, lookup: Lookup): Markup | null {
  const value = exampleOf(bodySchema(operation), lookup)
  return value === undefined ? null : jsonSample(value)
}

function answerSample(operation: OpenApiOperation, lookup: Lookup): Markup | null {
  const value = exampleOf(answerSchema(operation, lookup), lookup)
  if (value === undefined) return null
  return markup`
<details><summary>Answer</summary>${jsonSample(value)}</details>`
}

function exampleOf(schema: Schema | null, lookup: Lookup): JsonValue | undefined {
  if (schema === null) return undefined
  if (schema.items !== undefined) {
    const [item] = lookup.item(schema).examples ?? []
    return item === undefined ? undefined : [item]
  }
  return lookup.schema(schema).examples?.[0]
}
