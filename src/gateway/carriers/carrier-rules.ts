import type { CarrierCondition, CarrierType } from '../../core/ports/carrier.ts'
import type { Fields } from '../../core/declaration/field.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../core/json.ts'
import { invalidBody, Problem, type InputError } from '../../core/problem.ts'
import type { Change, Principal, Ruled, RuleContext, Rules } from '../../core/declaration/rules.ts'
import { where, type Stored } from '../../core/ports/store.ts'
import { timestamp } from '../../core/timestamp.ts'
import {
  simulatorId,
  type CarrierInstance,
  type HiddenCarrier,
} from '../../collections/carriers.ts'
import { numbers } from '../../collections/numbers.ts'

/** A function that reads settings by their fields: public values, secrets, and faults. */
export type CarrierSettingsReader = (
  fields: Fields,
  given: JsonObject,
  kept: JsonObject,
) => {
  readonly shown: JsonObject
  readonly secrets: JsonObject
  readonly errors: readonly InputError[]
}

/** The dependencies of the carrier rules. */
export interface CarrierRuleParts {
  readonly types: readonly CarrierType[]
  readonly readSettings: CarrierSettingsReader
  /** Returns the condition of a carrier; null if it is not open in this process. */
  readonly conditionOf: (id: string) => CarrierCondition | null
  /**
   * Returns whether the configuration file declares a carrier, which then can be changed only
   * there.
   */
  readonly isDeclared: (id: string) => boolean
  /** Returns whether the configuration file makes the request. */
  readonly isConfiguration: (principal: Principal) => boolean
}

/**
 * Creates the rules of carriers: each type checks its settings, and a carrier in use cannot be
 * deleted.
 */
export function carrierRules(parts: CarrierRuleParts): Rules {
  return {
    faults: async (change) => checked(change, parts).errors,
    write: async (change, { principal }) => {
      if (change.before !== null) checkDeclared(change.after, principal, parts)
      return write(change, parts)
    },
    remove: async (stored, context) => {
      checkDeclared(stored, context.principal, parts)
      await remove(stored, context)
    },
    live: async (stored) =>
      stored.map(({ id, doc }) => ({
        declared: parts.isDeclared(id),
        ...(liveFields(parts.conditionOf(id)) ?? notOpen(doc)),
      })),
  }
}

/** Refuses to change a declared carrier: the next start would revert the change. */
function checkDeclared(
  { id }: { readonly id?: JsonValue },
  principal: Principal,
  { isDeclared, isConfiguration }: CarrierRuleParts,
): void {
  if (typeof id !== 'string' || !isDeclared(id) || isConfiguration(principal)) return
  throw new Problem('conflict', 'The configuration file declares this carrier. Change it there.')
}

function write(change: Change, parts: CarrierRuleParts): Ruled {
  const { before, after } = change
  const { type } = after as CarrierInstance
  if (before !== null && before['type'] !== type) {
    throw new Problem('conflict', `The type of a carrier cannot change: it is ${before['type']}.`)
  }
  const { shown, secrets, errors } = checked(change, parts)
  if (errors.length > 0) throw invalidBody(errors)
  const hidden = Object.keys(secrets).length === 0 ? null : { secrets }
  return { instance: { ...after, settings: shown }, hidden }
}

/** Returns the settings of a change, public and secret, and its faults. */
function checked({ after, hiddenBefore }: Change, { types, readSettings }: CarrierRuleParts) {
  const { type, settings, routes = [] } = after as Partial<CarrierInstance>
  const wrongRoutes = routeFaults(routes)
  const known = types.find((each) => each.type === type)
  if (known === undefined) {
    const detail = `is not offered by this installation: ${type}`
    const errors = type === undefined ? wrongRoutes : [{ pointer: '/type', detail }, ...wrongRoutes]
    return { shown: {}, secrets: {}, errors }
  }
  const { secrets: kept = {} } = (hiddenBefore ?? {}) as HiddenCarrier
  // Settings with faults are not parsed.
  if (settings === undefined) return { shown: {}, secrets: {}, errors: wrongRoutes }
  const { shown, secrets, errors } = readSettings(
    known.settings,
    isJsonObject(settings) ? settings : {},
    kept,
  )
  // References can be checked only if all values have the right type.
  const found = errors.length > 0 ? [] : (known.faults?.({ ...shown, ...secrets }) ?? [])
  return { shown, secrets, errors: [...errors, ...found.map(belowSettings), ...wrongRoutes] }
}

function belowSettings(error: InputError): InputError {
  return 'pointer' in error ? { ...error, pointer: `/settings${error.pointer}` } : error
}

function routeFaults(routes: CarrierInstance['routes']): readonly InputError[] {
  const seen = new Set<string>()
  return routes.flatMap(({ prefix }, index) =>
    seen.size === seen.add(prefix).size
      ? [{ pointer: `/routes/${index}/prefix`, detail: 'must not repeat a prefix before it' }]
      : [],
  )
}

/**
 * Checks a removal. Messages without a route need the simulator, and a number must not name a
 * deleted carrier.
 */
async function remove({ id }: Stored, { transaction }: RuleContext): Promise<void> {
  if (id === simulatorId) {
    const cure = 'Set active to false instead: messages without a route then wait.'
    throw new Problem('conflict', `The simulator cannot be deleted. ${cure}`)
  }
  const named = [{ path: ['carrier'], operator: 'eq', values: [id] }] as const
  const [first] = await transaction.everywhere.list(numbers, null, where(named, 1))
  if (first === undefined) return
  const cause = `The number ${JSON.stringify(first.id)} uses this carrier`
  throw new Problem('conflict', `${cause}. Change its numbers to another carrier first.`)
}

/** Returns the condition of a carrier that is not open here: it is new, inactive, or on another node. */
function notOpen(doc: string): JsonObject {
  const { active }: CarrierInstance = JSON.parse(doc)
  return {
    state: active ? 'CONNECTING' : 'STOPPED',
    stateReason: active ? 'This node has not opened it.' : 'It is not active.',
    stateSince: null,
    inFlight: 0,
    partsPerSecond: 0,
    lastError: null,
  }
}

function liveFields(condition: CarrierCondition | null): JsonObject | null {
  if (condition === null) return null
  const { state, stateReason, since, inFlight, partsPerSecond, lastError } = condition
  return {
    state,
    stateReason,
    stateSince: timestamp(since),
    inFlight,
    partsPerSecond,
    lastError: lastError && { at: timestamp(lastError.at), detail: lastError.detail },
  }
}
