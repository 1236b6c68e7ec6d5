import type { Instant } from '../core/ports/clock.ts'
import { qualifiedName } from '../core/declaration/collection.ts'
import type { JsonObject } from '../core/json.ts'
import { invalidBody, Problem } from '../core/problem.ts'
import type { Change, RuleContext, Ruled, Rules } from '../core/declaration/rules.ts'
import type { MaybePromise } from '../core/maybe-promise.ts'
import { UniqueViolation, type Stored, type Transaction, type Writer } from '../core/ports/store.ts'
import { timestamp } from '../core/timestamp.ts'
import { type AuditedAction, recordChange } from './audit.ts'
import {
  changedFields,
  compose,
  type InstanceParts,
  soundOf,
  withFault,
  type Input,
  sameContent,
} from './input.ts'
import { pointerToken } from './field-reader.ts'
import type { Engine, OperationRequest } from './operation.ts'
import { namedBy } from './compiled.ts'

/** The input of a write: the request, the stored instance, and the client's fields. */
export interface WriteInput {
  readonly id: string
  readonly method: Change['method']
  readonly stored: Stored | null
  readonly body: JsonObject
  readonly input: Input
  /** The result of the collection's rules before the transaction. */
  readonly ahead?: JsonObject | null
}

/** The result of a write. */
export interface WrittenInstance {
  readonly stored: Stored
  /** Shown in this answer alone. */
  readonly reveal: JsonObject
}

/**
 * Composes an instance, lets the rules of its collection decide, and saves it; the same content
 * again changes nothing. Runs inside the transaction of the request. Throws `invalid-body` with all
 * that is wrong, whether fields, references or rules find it.
 */
export async function write(
  request: OperationRequest,
  wanted: WriteInput,
  transaction: Transaction,
  writer: Writer,
  engine: Engine,
): Promise<WrittenInstance> {
  const { compiled, principal } = request
  const { id, stored, input: given } = wanted
  const now = engine.clock.now()
  const before = stored === null ? null : parseStored(stored)
  const { references } = compiled
  const input = references.length === 0 ? given : await withReferences(request, given, writer)

  const change = changeOf(request, wanted, input, before, now)
  const ruled = await applyRules(request, input, change, engine, {
    principal,
    version: request.version,
    clock: engine.clock,
    newId: engine.newId,
    writer,
    transaction,
    correlation: request.origin?.correlation,
  })
  const reveal = ruled.reveal ?? {}
  if (stored !== null && before !== null && sameContent(before, ruled)) return { stored, reveal }

  const instance = { ...ruled.instance, updatedAt: later(now, before) }
  const key = { id, parent: change.parent }
  try {
    const saved = await writer.save(compiled.declared, key, instance, ruled.hidden)
    if (compiled.declared.audited) {
      const fields = changedFields(before, ruled, input.values)
      const changed = { declared: compiled.declared, action: actionOf(wanted), ...key, fields }
      await recordChange(request, changed, writer, engine)
    }
    return { stored: saved, reveal }
  } catch (error) {
    if (error instanceof UniqueViolation) throw taken(error, principal.account === writer.account)
    throw error
  }
}

function actionOf({ stored, method }: WriteInput): AuditedAction {
  if (stored === null) return 'CREATED'
  return method === 'PATCH' ? 'CHANGED' : 'REPLACED'
}

/** Returns the change that a write would make. */
function changeOf(
  request: OperationRequest,
  { id, method, body, ahead = null }: WriteInput,
  input: Input,
  before: InstanceParts | null,
  now: Instant,
): Change {
  const known = { ...keptFields(request, before), ...input.values }
  const { instance, hidden } = compose(request.compiled, id, known, before, timestamp(now))
  return {
    method,
    parent: request.parent?.id ?? null,
    body,
    input: input.values,
    before: before?.instance ?? null,
    hiddenBefore: before?.hidden ?? null,
    after: instance,
    hiddenAfter: hidden,
    ahead,
  }
}

/** Returns the stored fields that the client's older version does not know. A write preserves them. */
function keptFields(request: OperationRequest, before: InstanceParts | null): JsonObject {
  if (before === null || request.unknownFields.length === 0) return {}
  const names = request.unknownFields.filter((name) => before.instance[name] !== undefined)
  return Object.fromEntries(names.map((name) => [name, before.instance[name] ?? null]))
}

/** Parses a stored instance. */
export function parseStored(stored: Stored): InstanceParts {
  return {
    instance: JSON.parse(stored.doc),
    hidden: parseHidden(stored),
  }
}

/** Parses the hidden fields of a stored instance. */
export function parseHidden({ hidden }: Stored): JsonObject | null {
  return hidden === null ? null : JSON.parse(hidden)
}

/** Lets the rules decide on a sound change, and complete the refusal of another one. */
function applyRules(
  request: OperationRequest,
  input: Input,
  change: Change,
  engine: Engine,
  context: RuleContext,
): MaybePromise<Ruled> {
  const rules = engine.rules[qualifiedName(request.compiled.declared)]
  if (input.errors.length > 0) return refuse(request, input, change, rules, context)
  if (rules?.write === undefined) return { instance: change.after, hidden: change.hiddenAfter }
  return rules.write(change, context)
}

async function refuse(
  { compiled }: OperationRequest,
  input: Input,
  change: Change,
  rules: Rules | undefined,
  context: RuleContext,
): Promise<never> {
  const sound = { ...change, after: soundOf(change.after, compiled, input) }
  const found = (await rules?.faults?.(sound, context)) ?? []
  throw invalidBody([...input.errors, ...found])
}

/** Checks that each referenced instance exists and that the writer can read it. */
async function withReferences(
  { compiled }: OperationRequest,
  given: Input,
  writer: Writer,
): Promise<Input> {
  let input = given
  for (const reference of compiled.references) {
    const { target, path } = reference
    for (const { id, pointer } of namedBy(reference, given.values)) {
      if ((await writer.find(target, { id })) !== null) continue
      const detail = `names ${JSON.stringify(id)}, and there is no such ${target.noun}`
      input = withFault(input, path[0] ?? '', { pointer, detail })
    }
  }
  return input
}

/**
 * Returns the time of a change, which is never before the previous change, even if the clock went
 * back.
 */
export function later(now: number, before: InstanceParts | null): string {
  const last = before?.instance['updatedAt']
  const text = timestamp(now)
  return typeof last === 'string' && last > text ? last : text
}

function taken(error: UniqueViolation, own: boolean): Problem {
  const pointer = error.field
    .split('.')
    .map((name) => `/${pointerToken(name)}`)
    .join('')
  const detail = own ? 'is the value of another instance' : 'is not available'
  return new Problem('conflict', `${pointer} ${detail}.`, { errors: [{ pointer, detail }] })
}
