import { qualifiedName } from '../../core/declaration/collection.ts'
import { type JsonObject, type JsonValue, isJsonObject } from '../../core/json.ts'
import { Problem } from '../../core/problem.ts'
import type { RuleContext } from '../../core/declaration/rules.ts'
import type { InstanceKey, Stored, Writer } from '../../core/ports/store.ts'
import { checkWrite, requireCondition } from '../conditions.ts'
import { checkParent, notFound, type EngineOperation, type Engine } from '../operation.ts'
import { homeOf } from '../account-reach.ts'
import { recordChange } from '../audit.ts'
import type { Compiled, Referrer } from '../compiled.ts'
import { later, parseStored } from '../write.ts'

/** Removes an instance and those nested in it: DELETE /v1/{collection}/{id}. */
export const remove: EngineOperation = async (request, engine) => {
  const { compiled, id, conditions, principal, version } = request
  const { clock, newId } = engine
  const home = await homeOf(request, engine)

  return engine.store.transact(async (transaction) => {
    const writer = transaction.in(home)
    await checkParent(request, writer)
    const key = { id, parent: request.parent?.id ?? null }
    const stored = await writer.find(compiled.declared, key)
    if (stored === null) throw notFound(compiled, id)
    requireCondition(conditions, compiled.declared.conditional)
    checkWrite(conditions, stored.revision)

    const context = { principal, version, clock, newId, writer, transaction }
    await removeInstance(compiled, stored, context, engine)
    const removed = { declared: compiled.declared, action: 'DELETED', ...key, fields: [] } as const
    await recordChange(request, removed, writer, engine)
    return { status: 204, headers: {}, body: null }
  })
}

/** The limit of instances that one deletion removes or changes: other transactions wait for it. */
const alongMax = 1000

/** The number of referring instances in one read. */
const pageSize = 100

/** An instance that is to go. */
interface Doomed {
  readonly compiled: Compiled
  readonly stored: Stored
}

/**
 * Removes an instance and those nested in it. Each instance that refers to it is treated as its
 * declaration says: refuse with `conflict`, set the field to null, or remove it too. Removed
 * instances do not block the removal of those that they refer to.
 */
async function removeInstance(
  compiled: Compiled,
  stored: Stored,
  context: RuleContext,
  engine: Engine,
): Promise<void> {
  const { writer } = context
  const doomed = await withCascade({ compiled, stored }, writer, engine)
  const names = new Set(doomed.map((each) => nameOf(each.compiled, each.stored)))
  for (const one of doomed) await release(one, names, context)
  for (const each of doomed) {
    await engine.rules[qualifiedName(each.compiled.declared)]?.remove?.(each.stored, context)
    await writer.remove(each.compiled.declared, keyOf(each.stored))
  }
}

/** Returns the instance, and all instances that its deletion removes by their references. */
async function withCascade(
  first: Doomed,
  writer: Writer,
  engine: Engine,
): Promise<readonly Doomed[]> {
  const doomed = [first]
  const seen = new Set([nameOf(first.compiled, first.stored)])
  for (const { compiled, stored } of doomed) {
    if (compiled.referrers.length > 0) await writer.lock(compiled.declared, keyOf(stored))
    for (const referrer of compiled.referrers.filter(({ onDelete }) => onDelete === 'cascade')) {
      const referring = engine.catalogue.find(qualifiedName(referrer.declared))
      if (referring === null) continue
      for await (const each of referringTo(stored.id, referrer, writer)) {
        const name = nameOf(referring, each)
        if (seen.has(name)) continue
        seen.add(name)
        doomed.push({ compiled: referring, stored: each })
        if (doomed.length > alongMax) throw tooMany(first, referrer)
      }
    }
  }
  return doomed
}

/** Refuses the removal, or sets references to null, as the remaining referring instances declare. */
async function release(
  { compiled, stored }: Doomed,
  doomed: ReadonlySet<string>,
  { writer, clock }: RuleContext,
): Promise<void> {
  for (const referrer of compiled.referrers) {
    const staying: Stored[] = []
    for await (const each of referringTo(stored.id, referrer, writer)) {
      if (isDoomed(each, referrer, doomed)) continue
      if (referrer.onDelete === 'restrict') throw inUse(compiled, stored, referrer)
      staying.push(each)
      if (staying.length > alongMax) throw tooMany({ compiled, stored }, referrer)
    }
    for (const each of staying) await setNull(each, referrer, writer, clock.now())
  }
}

/** Returns whether an instance is removed, by itself or with the instance that contains it. */
function isDoomed(stored: Stored, { declared }: Referrer, doomed: ReadonlySet<string>): boolean {
  const { parent } = declared
  return (
    doomed.has(JSON.stringify([qualifiedName(declared), stored.parent, stored.id])) ||
    (parent !== null && doomed.has(JSON.stringify([parent, null, stored.parent])))
  )
}

/** Reads the instances of an account that refer to an identifier, in pages. */
async function* referringTo(
  id: string,
  { declared, path }: Referrer,
  writer: Writer,
): AsyncGenerator<Stored> {
  const conditions = [{ path, operator: 'eq' as const, values: [id] }]
  const sort = [{ path: ['id'], direction: 'asc' as const }]
  for (let offset = 0; ; offset += pageSize) {
    const query = { conditions, searchTerms: [], sort, start: { offset }, limit: pageSize }
    const page = await writer.list(declared, null, query)
    yield* page
    if (page.length < pageSize) return
  }
}

async function setNull(
  stored: Stored,
  { declared, path }: Referrer,
  writer: Writer,
  now: number,
): Promise<void> {
  const before = parseStored(stored)
  const changed = withNull(before.instance, path)
  const instance = { ...changed, updatedAt: later(now, before) }
  await writer.save(declared, keyOf(stored), instance, before.hidden)
}

function withNull(object: JsonObject, [name = '', ...rest]: readonly string[]): JsonObject {
  const inner: JsonValue = object[name] ?? null
  const value = rest.length > 0 && isJsonObject(inner) ? withNull(inner, rest) : null
  return { ...object, [name]: value }
}

function keyOf({ id, parent }: Stored): InstanceKey {
  return { id, parent }
}

function nameOf({ declared }: Compiled, { parent, id }: Stored): string {
  return JSON.stringify([qualifiedName(declared), parent, id])
}

function inUse({ declared }: Compiled, { id }: Stored, referrer: Referrer): Problem {
  const where = `${qualifiedName(referrer.declared)} (field ${referrer.path.join('.')})`
  const what = `The ${declared.noun} ${JSON.stringify(id)} is referred to by ${where}`
  return new Problem('conflict', `${what}. Delete those, or let them refer to another, first.`)
}

function tooMany({ compiled, stored }: Doomed, referrer: Referrer): Problem {
  const where = qualifiedName(referrer.declared)
  const what = `More than ${alongMax} ${where} refer to the ${compiled.declared.noun}`
  return new Problem('conflict', `${what} ${JSON.stringify(stored.id)}. Delete some of them first.`)
}
