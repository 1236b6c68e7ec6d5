import { isJsonObject, type JsonValue } from '../../core/json.ts'
import type { InputError } from '../../core/problem.ts'

/** The header fields of a webhook after a change. */
export interface RuledHeaders {
  /** As they are served: names alone. */
  readonly shown: Readonly<Record<string, null>>
  /** As they are sent. */
  readonly values: Readonly<Record<string, string>>
  readonly errors: readonly InputError[]
}

/** A token of RFC 9110 section 5.6.2. */
const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/

/** Visible ASCII and Latin-1, spaces and tabs: what a field value can carry (RFC 9110 section 5.5). */
const fieldValue = /^[\t\x20-\x7e\xa0-\xff]*$/

/** Fields of the connection (RFC 9110 section 7.6.1), and those that the service sets. */
const taken =
  /^(connection|keep-alive|te|trailer|transfer-encoding|upgrade|expect|host|proxy-.*|content-.*|webhook-.*)$/

/**
 * Checks the header fields that a webhook would have, and fills in the values that are known already:
 * values are never served, so a client that sends back what it read sends null. If the webhook moves to
 * another origin, values that are not given again are dropped: they would be disclosed to it.
 */
export function ruledHeaders(
  wanted: JsonValue | undefined,
  known: Readonly<Record<string, string>>,
  isMoved: boolean,
): RuledHeaders {
  const knownValues = new Map(
    Object.entries(known).map(([name, value]) => [name.toLowerCase(), value]),
  )
  const values = new Map<string, string>()
  const errors: InputError[] = []
  const seen = new Set<string>()

  for (const [name, given] of Object.entries(isJsonObject(wanted) ? wanted : {})) {
    const kept = knownValues.get(name.toLowerCase())
    if (given === null && kept !== undefined && isMoved) continue
    const value = given ?? kept
    const detail = nameFault(name, seen) ?? valueFault(value)
    seen.add(name.toLowerCase())
    if (detail !== null) errors.push({ pointer: `/headers/${escaped(name)}`, detail })
    if (typeof value === 'string') values.set(name, value)
  }

  const names = [...values.keys()]
  return {
    shown: Object.fromEntries(names.map((name) => [name, null])),
    values: Object.fromEntries(values),
    errors,
  }
}

function nameFault(name: string, seen: ReadonlySet<string>): string | null {
  if (!token.test(name)) return 'must have a name that HTTP allows'
  if (taken.test(name.toLowerCase())) return 'must not be a header field that the service sets'
  return seen.has(name.toLowerCase()) ? 'must be unique regardless of case' : null
}

function valueFault(value: JsonValue | undefined): string | null {
  if (value === undefined) return 'must have a value: null is only allowed if one is stored'
  if (typeof value !== 'string') return 'must be a text'
  return fieldValue.test(value) ? null : 'must be Latin-1 without control characters'
}

/** A name as a part of a JSON Pointer (RFC 6901 section 3). */
function escaped(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1')
}
