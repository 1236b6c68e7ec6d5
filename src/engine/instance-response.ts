import { hash } from 'node:crypto'
import { qualifiedName } from '../core/declaration/collection.ts'
import { allows } from '../core/declaration/scope.ts'
import type { JsonObject, JsonValue } from '../core/json.ts'
import { andThen, type MaybePromise } from '../core/maybe-promise.ts'
import type { Reader, Stored } from '../core/ports/store.ts'
import type { Compiled } from './compiled.ts'
import { entityTag } from './conditions.ts'
import type { Engine, OperationRequest, OperationResponse } from './operation.ts'

/**
 * Creates the response to a write: the fields of the instance, then those that only this response
 * shows.
 */
export function answerWith(
  status: number,
  compiled: Compiled,
  stored: Stored,
  reveal: JsonObject,
  reader: Reader,
  engine: Engine,
): MaybePromise<OperationResponse> {
  return andThen(renderOne(compiled, stored, reader, engine), ({ text, revision }) => {
    const shown = Object.keys(reveal).length > 0
    const body = shown ? JSON.stringify({ ...JSON.parse(text), ...reveal }) : text
    return { status, headers: { etag: entityTag(revision) }, body }
  })
}

/**
 * Returns the response to a change. If the key may not read, it shows only the identifier. An
 * entity tag would confirm a guess.
 */
export function answerToChange(
  request: OperationRequest,
  stored: Stored,
  reveal: JsonObject,
  reader: Reader,
  engine: Engine,
): MaybePromise<OperationResponse> {
  const { compiled, parent, principal } = request
  const { name } = (parent ?? request).compiled.declared
  if (allows(principal.scopes, name, 'read')) {
    return answerWith(200, compiled, stored, reveal, reader, engine)
  }
  return { status: 200, headers: {}, body: JSON.stringify({ id: stored.id, ...reveal }) }
}

/** An instance as it is served: its JSON text, and the revision of exactly that text. */
export interface Rendered {
  readonly text: string
  readonly revision: string
}

/** Renders instances in their order: the stored text, with live fields inserted. */
export async function render(
  compiled: Compiled,
  instances: readonly Stored[],
  reader: Reader,
  engine: Engine,
): Promise<readonly Rendered[]> {
  if (compiled.live.length === 0) {
    return instances.map(asStored)
  }
  const rule = engine.rules[qualifiedName(compiled.declared)]?.live
  const live = rule === undefined ? [] : await rule(instances, reader)
  return instances.map((stored, index) => withLive(compiled, stored, live[index] ?? {}))
}

/** Renders one instance. */
export function renderOne(
  compiled: Compiled,
  stored: Stored,
  reader: Reader,
  engine: Engine,
): MaybePromise<Rendered> {
  if (compiled.live.length === 0) return asStored(stored)
  return render(compiled, [stored], reader, engine).then(
    ([rendered]) => rendered ?? asStored(stored),
  )
}

/** Renders an instance without live fields: its stored text. */
export function asStored({ doc, revision }: Stored): Rendered {
  return { text: doc, revision }
}

/** Keeps of a rendered instance only the fields named. */
export function pick(text: string, fields: readonly string[]): string {
  const instance: JsonObject = JSON.parse(text)
  return JSON.stringify(
    Object.fromEntries(fields.map((name): [string, JsonValue] => [name, instance[name] ?? null])),
  )
}

function withLive(compiled: Compiled, stored: Stored, live: JsonObject): Rendered {
  const instance: JsonObject = { ...JSON.parse(stored.doc), ...live }
  const text = JSON.stringify(
    Object.fromEntries(
      compiled.served.map((name): [string, JsonValue] => [name, instance[name] ?? null]),
    ),
  )
  const digest = hash('sha256', JSON.stringify(live), 'base64url').slice(0, 8)
  return { text, revision: `${stored.revision}.${digest}` }
}
