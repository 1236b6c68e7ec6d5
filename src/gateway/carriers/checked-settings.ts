import { defaultAccount } from '../../core/account.ts'
import type { Fields } from '../../core/declaration/field.ts'
import type { Change, RuleContext } from '../../core/declaration/rules.ts'
import { isJsonObject, type JsonObject } from '../../core/json.ts'
import type { CarrierType } from '../../core/ports/carrier.ts'
import type { Transaction } from '../../core/ports/store.ts'
import type { InputError } from '../../core/problem.ts'
import type { CarrierInstance, HiddenCarrier } from '../../collections/carriers.ts'
import { activeCarriersIn } from './carriers.ts'

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

/** The dependencies of checking settings. */
export interface SettingChecks {
  readonly types: readonly CarrierType[]
  readonly readSettings: CarrierSettingsReader
}

/** Returns the settings of a change, public and secret, and its faults. */
export async function checkedSettings(
  { after, hiddenBefore }: Change,
  { transaction }: RuleContext,
  { types, readSettings }: SettingChecks,
) {
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
  const all = { ...shown, ...secrets }
  const found =
    errors.length > 0
      ? []
      : [
          ...(known.faults?.(all, routes.length > 0) ?? []),
          ...(await sharedAccountFaults(after as CarrierInstance, all, known, transaction)),
        ]
  return { shown, secrets, errors: [...errors, ...found.map(belowSettings), ...wrongRoutes] }
}

/** Returns the fault of a carrier that uses the account of another active one at the other side. */
async function sharedAccountFaults(
  { id, active = true }: Partial<CarrierInstance>,
  settings: JsonObject,
  { type, peerAccount }: CarrierType,
  transaction: Transaction,
): Promise<readonly InputError[]> {
  if (!active || peerAccount === undefined) return []
  const { key, field } = peerAccount(settings)
  const other = (await activeCarriersIn(transaction.in(defaultAccount))).find(
    (each) =>
      each.instance.id !== id &&
      each.instance.type === type &&
      peerAccount(each.settings).key === key,
  )
  if (other === undefined) return []
  const name = JSON.stringify(other.instance.id)
  const detail =
    `must not be that of the active carrier ${name}: either could get the receipts. ` +
    'Raise its binds instead'
  return [{ pointer: `/${field}`, detail }]
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
