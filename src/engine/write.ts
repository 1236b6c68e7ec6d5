import { qualifiedName } from '../core/collection.ts'
import type { JsonObject } from '../core/json.ts'
import { invalidBody, Problem, type InputError } from '../core/problem.ts'
import type { Change, Ruled } from '../core/rules.ts'
import { Taken, type Stored, type Transaction, type Writer } from '../core/store.ts'
import { timestamp } from '../core/timestamp.ts'
import { pointerToken } from './field-reader.ts'
import { compose, sameContent, type Before } from './compose.ts'
import type { Engine, OperationRequest } from './operation.ts'
import { namedBy } from './references.ts'

/** A write on its way: the request, what there is before it, and what the client gave. */
export interface WriteInput {
  readonly id: string
  readonly method: Change['method']
  readonly stored: Stored | null
  readonly body: JsonObject
  readonly input: JsonObject
  /** What the rules of the collection did ahead of the transaction. */
  readonly ahead?: JsonObject | null
}

/** What a write did. */
export interface Written {
  readonly stored: Stored
  /** Shown in this answer alone. */
  readonly reveal: JsonObject
}

/**
 * Composes an instance, lets the rules of its collection decide, and saves it; the same content
 * again changes nothing. Runs inside the transaction of the request.
 */
export async function write(
  request: OperationRequest,
  { id, method, stored, body, input, ahead = null }: WriteInput,
  transaction: Transaction,
  writer: Writer,
  engine: Engine,
): Promise<Written> {
  const { compiled, principal } = request
  const now = engine.clock.now()
  const before = stored === null ? null : parseStored(stored)
  await checkReferences(request, input, writer)

  const known = { ...keptFields(request, before), ...input }
  const composed = compose(compiled, id, known, before, timestamp(now))
  const ruled = await applyRules(request, engine, transaction, writer, {
    method,
    body,
    input,
    before: before?.instance ?? null,
    hiddenBefore: before?.hidden ?? null,
    after: composed.instance,
    hiddenAfter: composed.hidden,
    ahead,
  })
  const reveal = ruled.reveal ?? {}
  if (stored !== null && before !== null && sameContent(before, ruled)) return { stored, reveal }

  const instance = { ...ruled.instance, updatedAt: later(now, before) }
  const key = { id, parent: request.parent?.id ?? null }
  try {
    return { stored: await writer.save(compiled.declared, key, instance, ruled.hidden), reveal }
  } catch (error) {
    if (error instanceof Taken) throw taken(error, principal.account === writer.account)
    throw error
  }
}

/** What a client cannot know of an instance, because its version is older, stays. */
function keptFields(request: OperationRequest, before: Before | null): JsonObject {
  if (before === null || request.unknownFields.length === 0) return {}
  const names = request.unknownFields.filter((name) => before.instance[name] !== undefined)
  return Object.fromEntries(names.map((name) => [name, before.instance[name] ?? null]))
}

/** Parses what the store has of an instance. */
export function parseStored(stored: Stored): Before {
  return {
    instance: JSON.parse(stored.doc),
    hidden: stored.hidden === null ? null : JSON.parse(stored.hidden),
  }
}

async function applyRules(
  request: OperationRequest,
  engine: Engine,
  transaction: Transaction,
  writer: Writer,
  change: Change,
): Promise<Ruled> {
  const rule = engine.rules[qualifiedName(request.compiled.declared)]?.write
  if (rule === undefined) return { instance: change.after, hidden: change.hiddenAfter }
  const { clock, newId } = engine
  const { principal, version } = request
  return rule(change, { principal, version, clock, newId, writer, transaction })
}

/** An instance that is named must exist where the writer can see it. */
async function checkReferences(
  request: OperationRequest,
  input: JsonObject,
  writer: Writer,
): Promise<void> {
  const errors: InputError[] = []
  for (const reference of request.compiled.references) {
    const { target } = reference
    for (const { id, pointer } of namedBy(reference, input)) {
      if ((await writer.find(target, { id })) !== null) continue
      const detail = `names ${JSON.stringify(id)}, and there is no such ${target.noun}`
      errors.push({ pointer, detail })
    }
  }
  if (errors.length > 0) throw invalidBody(errors)
}

/** The time of a change is never before the one before it, whatever the wall clock did. */
export function later(now: number, before: Before | null): string {
  const last = before?.instance['updatedAt']
  const text = timestamp(now)
  return typeof last === 'string' && last > text ? last : text
}

function taken(error: Taken, own: boolean): Problem {
  const pointer = error.field
    .split('.')
    .map((name) => `/${pointerToken(name)}`)
    .join('')
  const detail = own ? 'is the value of another instance' : 'is not available'
  return new Problem('conflict', `${pointer} ${detail}.`, { errors: [{ pointer, detail }] })
}
