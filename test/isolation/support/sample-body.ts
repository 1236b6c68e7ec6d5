import { qualifiedName } from '../../../src/core/declaration/collection.ts'
import type { Field } from '../../../src/core/declaration/field.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../../src/core/json.ts'
import type { Compiled } from '../../../src/engine/compiled.ts'
import { builtInDocumentation } from '../../../src/openapi/built-in-documentation.ts'
import { collectionExamples } from '../../../src/openapi/schemas/examples.ts'

/** What the rules of a collection ask of a body beyond its declaration. */
const given: Readonly<Record<string, JsonObject>> = {
  accounts: { creditBalance: 1000 },
  maintenanceWindows: { startsAt: '2030-01-01T00:00:00Z', endsAt: '2030-01-02T00:00:00Z' },
  messages: {
    from: '+447700900456',
    to: '+447700900123',
    scheduledAt: null,
    validUntil: null,
    carrier: null,
  },
  broadcasts: { from: '+447700900456', carrier: null, scheduledAt: null, validUntil: null },
  numbers: { carrier: null, account: null },
  'webhooks/replays': { until: null, types: ['SENT'], failedOnly: false },
  keys: { scopes: ['contacts:read'], account: null, expiresAt: null },
}

/** The same, where each body needs a value of its own. */
const varied: Readonly<Record<string, (mark: Mark, referred: Referred) => JsonObject>> = {
  broadcasts: (_, referred) => ({
    to: { addresses: [], contacts: [referred('contacts')], group: referred('groups') },
  }),
  prices: ({ turn }) => ({ prefix: `+49${turn}` }),
}

/** The identifier of an instance of a collection. */
type Referred = (collection: string) => string

/** What tells the values of one body from those of others. */
export interface Mark {
  readonly account: string
  readonly turn: number
}

/**
 * A body that creates an instance. Texts and numbers that may hold anything show the mark, references
 * name what `referred` gives for their collection.
 */
export function sampleBody(compiled: Compiled, mark: Mark, referred: Referred): JsonObject {
  const { declared, settable } = compiled
  const path = qualifiedName(declared)
  const fixed = { ...given[path], ...varied[path]?.(mark, referred) }
  const { input } = collectionExamples(compiled, builtInDocumentation.examples ?? {})
  const fields = settable.filter(({ field }) => field.writeOnly !== true)
  return Object.fromEntries(
    fields.map(({ name, field }): [string, JsonValue] => [
      name,
      fixed[name] ?? (name in fixed ? null : valueOf(field, input?.[name], mark, referred)),
    ]),
  )
}

function valueOf(
  field: Field,
  example: JsonValue | undefined,
  mark: Mark,
  referred: Referred,
): JsonValue {
  switch (field.kind) {
    case 'text': {
      if (field.format === 'recipient' || field.format === 'sender') return telephone(mark)
      const isFree = field.format === undefined && field.pattern === undefined
      return isFree && (field.maxLength ?? 200) >= 40 ? marked(mark) : (example ?? null)
    }
    case 'reference':
      return referred(field.collection)
    case 'array':
      return field.items.kind === 'text' || field.items.kind === 'reference'
        ? [valueOf(field.items, undefined, mark, referred)].filter((item) => item !== null)
        : (example ?? field.default ?? [])
    case 'map':
      return field.values.kind === 'text' ? { 'x-mark': marked(mark) } : {}
    case 'object':
      return Object.fromEntries(
        Object.entries(field.properties).map(([name, inner]) => {
          const inside = isJsonObject(example) ? example[name] : undefined
          return [name, valueOf(inner, inside, mark, referred)]
        }),
      )
    default:
      return example ?? field.default ?? null
  }
}

function marked({ account, turn }: Mark): string {
  return `${account} text ${turn}`
}

function telephone({ account, turn }: Mark): string {
  return `+4477009${account.length}${String(turn).padStart(4, '0')}`
}
