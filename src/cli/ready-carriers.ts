import { isJsonObject, type JsonObject, type JsonValue } from '../core/json.ts'

// Not imported, which would load all that it exports (docs/decisions/0016).
const { readdirSync, readFileSync } = process.getBuiltinModule('node:fs')

/** A ready declaration of a carrier, with variables for the values of an account. */
export interface ReadyCarrier {
  readonly id: string
  readonly name: string
  /** Why a part of it is untested; null if all was made from a description. */
  readonly untested: string | null
  readonly variables: readonly CarrierVariable[]
  /** Steps at the provider, with placeholders for URLs of callbacks. */
  readonly notes: readonly string[]
  /** The carrier as the API takes it, with variables. */
  readonly carrier: JsonObject
}

/** A value that the declaration takes from a variable. */
export interface CarrierVariable {
  readonly name: string
  /** Its meaning; null for a token that the command generates. */
  readonly meaning: string | null
  readonly isSecret: boolean
}

const folder = new URL('../../providers/', import.meta.url)

/** Lists the providers with a ready declaration. */
export function readyCarrierNames(): readonly string[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .map((file) => file.slice(0, -'.json'.length))
    .toSorted()
}

/** Reads a ready declaration. */
export function readReadyCarrier(id: string): ReadyCarrier {
  const text = readFileSync(new URL(`${id}.json`, folder), 'utf8')
  const { about, id: _id, ...carrier } = objectOf(JSON.parse(text))
  const { variables, notes, untested } = objectOf(about)
  const { secrets } = objectOf(carrier['settings'])
  const secret = new Set(Object.values(objectOf(secrets)).map((value) => variableIn(value)))
  return {
    id,
    name: String(carrier['name']),
    untested: typeof untested === 'string' ? untested : null,
    variables: Object.entries(objectOf(variables)).map(([name, meaning]) => ({
      name,
      meaning: typeof meaning === 'string' ? meaning : null,
      isSecret: secret.has(name),
    })),
    notes: Array.isArray(notes) ? notes.map(String) : [],
    carrier,
  }
}

/** The flag of a variable, without its dashes. */
export function flagName(variable: string): string {
  return variable.toLowerCase().replaceAll('_', '-')
}

/** Replaces the variables of a declaration by their values. */
export function withValues(value: JsonValue, values: Readonly<Record<string, string>>): JsonValue {
  const variable = variableIn(value)
  if (variable !== null) return values[variable] ?? ''
  if (Array.isArray(value)) return value.map((item: JsonValue) => withValues(item, values))
  if (!isJsonObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, withValues(member ?? null, values)]),
  )
}

function variableIn(value: JsonValue | undefined): string | null {
  if (value === undefined || !isJsonObject(value) || Object.keys(value).length !== 1) return null
  return typeof value['env'] === 'string' ? value['env'] : null
}

function objectOf(value: JsonValue | undefined): JsonObject {
  return value !== undefined && isJsonObject(value) ? value : {}
}
