import { isJsonObject, type JsonValue } from '../../../core/json.ts'
import type { OutgoingRequest } from '../../../core/ports/outgoing-request.ts'
import type { HttpSettings } from '../settings.ts'
import { valuesAt } from '../reading/values-at.ts'
import { jsonBody } from '../requests/write-body.ts'

/** Request for a part of a message. */
export interface PartRequest {
  /** Identifier of the part at the carrier if the provider names none. */
  readonly id: string
  readonly request: OutgoingRequest
  /** The body before it became text; null if it is not JSON. */
  readonly json: JsonValue
  /** The request that created its message, as `correlationText`. */
  readonly correlation?: string | null
}

type Batch = HttpSettings['batch']

/** Writes one request for several parts: that of the first with the items of all. */
export function mergedRequest(
  first: PartRequest,
  parts: readonly PartRequest[],
  batch: Batch,
): OutgoingRequest {
  if (batch === null || parts.length === 1) return first.request
  const items = parts.flatMap(({ json }) => itemsIn(json, batch.items) ?? [])
  return { ...first.request, body: jsonBody(withValue(first.json, batch.items, items)).body }
}

/** The same for requests that can become one; null for one that must go alone. */
export function mergeKey({ request, json }: PartRequest, batch: NonNullable<Batch>): string | null {
  if (itemsIn(json, batch.items) === null) return null
  const rest = withValue(json, batch.items, [])
  return JSON.stringify([request.method, request.url, request.headers, rest])
}

/**
 * Returns the content of a response as if only one of its items had been sent; null if it has no
 * result for each item.
 */
export function resultOfItem(
  content: JsonValue,
  index: number,
  count: number,
  batch: Batch,
): JsonValue {
  if (batch === null || count === 1) return content
  const results = itemsIn(content, batch.results)
  const result = results?.[index]
  if (result === undefined || results?.length !== count) return null
  return withValue(content, batch.results, [result])
}

function itemsIn(json: JsonValue, pointer: string): readonly JsonValue[] | null {
  const [items] = valuesAt(json, pointer)
  return Array.isArray(items) ? items : null
}

/** Replaces the value at a path of members. */
function withValue(json: JsonValue, pointer: string, value: JsonValue): JsonValue {
  const [, token, ...rest] = pointer.split('/')
  if (token === undefined) return value
  if (!isJsonObject(json)) return json
  const name = token.replaceAll('~1', '/').replaceAll('~0', '~')
  const below = rest.map((each) => `/${each}`).join('')
  return { ...json, [name]: withValue(json[name] ?? null, below, value) }
}
