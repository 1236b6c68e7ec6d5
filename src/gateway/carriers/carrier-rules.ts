import type { CarrierCondition } from '../../core/ports/carrier.ts'
import type { JsonObject, JsonValue } from '../../core/json.ts'
import { invalidBody, Problem } from '../../core/problem.ts'
import type { Change, Principal, Ruled, RuleContext, Rules } from '../../core/declaration/rules.ts'
import { where, type Stored } from '../../core/ports/store.ts'
import { timestamp } from '../../core/timestamp.ts'
import { simulatorId, type CarrierInstance } from '../../collections/carriers.ts'
import { numbers } from '../../collections/numbers.ts'
import type { Backlog } from '../submission/backlogs.ts'
import { checkedSettings, type SettingChecks } from './checked-settings.ts'

/** The dependencies of the carrier rules. */
export interface CarrierRuleParts extends SettingChecks {
  /** Returns the condition of a carrier; null if it is not open in this process. */
  readonly conditionOf: (id: string) => CarrierCondition | null
  /** Returns the due messages of a carrier; null if they are unknown. */
  readonly backlogOf: (id: string) => Backlog | null
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
    faults: async (change, context) => (await checkedSettings(change, context, parts)).errors,
    write: async (change, context) => {
      if (change.before !== null) checkDeclared(change.after, context.principal, parts)
      return write(change, context, parts)
    },
    remove: async (stored, context) => {
      checkDeclared(stored, context.principal, parts)
      await remove(stored, context)
    },
    live: async (stored) =>
      stored.map(({ id, doc }) => ({
        declared: parts.isDeclared(id),
        ...(liveFields(parts.conditionOf(id)) ?? notOpen(doc)),
        ...backlogFields(parts.backlogOf(id)),
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

async function write(
  change: Change,
  context: RuleContext,
  parts: CarrierRuleParts,
): Promise<Ruled> {
  const { before, after } = change
  const { type } = after as CarrierInstance
  if (before !== null && before['type'] !== type) {
    throw new Problem('conflict', `The type of a carrier cannot change: it is ${before['type']}.`)
  }
  const { shown, secrets, errors } = await checkedSettings(change, context, parts)
  if (errors.length > 0) throw invalidBody(errors)
  const hidden = Object.keys(secrets).length === 0 ? null : { secrets }
  return { instance: { ...after, settings: shown }, hidden }
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

function backlogFields(backlog: Backlog | null): JsonObject {
  const { count, since } = backlog ?? { count: null, since: 0 }
  return {
    waitingMessages: count,
    waitingSince: count === null || count === 0 ? null : timestamp(since),
  }
}
