import { hash } from 'node:crypto'
import type { JsonObject, JsonValue } from '../core/json.ts'
import { qualifiedName } from '../core/declaration/collection.ts'
import type { MaybePromise } from '../core/maybe-promise.ts'
import type { Reader, Stored } from '../core/ports/store.ts'
import type { Compiled } from './compiled.ts'
import type { Engine } from './operation.ts'

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
