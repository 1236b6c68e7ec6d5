import { carriers } from '../collections/carriers.ts'
import { defaultAccount } from '../core/account.ts'
import { DeclarationError, type DeclarationFault } from '../core/declaration/declaration-error.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../core/json.ts'
import { Problem } from '../core/problem.ts'
import type { Principal } from '../core/declaration/rules.ts'
import type { Engine, OperationRequest } from '../engine/operation.ts'
import { put } from '../engine/operations/put.ts'

/** Principal for the configuration file. No key has an empty identifier. */
export const configurationPrincipal: Principal = {
  account: defaultAccount,
  keyId: '',
  scopes: ['admin'],
  administrator: true,
}

/** The identifiers of declared carriers. */
export function idsOf(declared: readonly unknown[]): ReadonlySet<string> {
  return new Set(declared.flatMap((each) => idOf(each) ?? []))
}

/**
 * Saves the carriers that a configuration file declares, each like a PUT: an unchanged one stays as
 * it is. Throws one `DeclarationError` with every fault.
 */
export async function declareCarriers(
  declared: readonly unknown[],
  engine: Engine,
  source: string,
): Promise<void> {
  const faults: DeclarationFault[] = []
  const seen = new Set<string>()
  for (const [index, each] of declared.entries()) {
    const path = `carriers[${index}]`
    const id = idOf(each)
    if (id === null) {
      faults.push({ path, detail: 'must be an object with an id, such as "id": "provider".' })
    } else if (seen.size === seen.add(id).size) {
      faults.push({ path: `${path}.id`, detail: `must not repeat ${JSON.stringify(id)}.` })
    } else faults.push(...(await putOne(id, each, engine, path)))
  }
  if (faults.length > 0) throw new DeclarationError(source, faults)
}

async function putOne(
  id: string,
  declared: unknown,
  engine: Engine,
  path: string,
): Promise<readonly DeclarationFault[]> {
  try {
    await put(requestFor(id, declared, engine), engine)
    return []
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    if (error.errors.length === 0) return [{ path, detail: error.message }]
    return error.errors.map((each) => {
      const pointer = 'pointer' in each ? each.pointer : `/${each.parameter}`
      return {
        path: path + pointer.replaceAll('/', '.'),
        detail: each.detail.endsWith('?') ? each.detail : `${each.detail}.`,
      }
    })
  }
}

function requestFor(id: string, declared: unknown, engine: Engine): OperationRequest {
  const compiled = engine.catalogue.find(carriers.name)
  if (compiled === null) throw new Error('there is no collection of carriers')
  return {
    compiled,
    parent: null,
    id,
    principal: configurationPrincipal,
    conditions: { ifMatch: undefined, ifNoneMatch: undefined },
    parameters: [],
    asSent: [],
    unknownFields: [],
    version: 'v1',
    path: '/v1/carriers',
    body: () => asJson(declared),
    countExactly: false,
    idempotency: null,
  }
}

/** Drops values that JSON cannot represent, such as `undefined`. */
function asJson(declared: unknown): JsonObject {
  const value: JsonValue = JSON.parse(JSON.stringify(declared))
  return isJsonObject(value) ? value : {}
}

function idOf(declared: unknown): string | null {
  if (typeof declared !== 'object' || declared === null || !('id' in declared)) return null
  return typeof declared.id === 'string' ? declared.id : null
}
