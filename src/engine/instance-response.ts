import type { JsonObject } from '../core/json.ts'
import { type MaybePromise, andThen } from '../core/maybe-promise.ts'
import type { Reader, Stored } from '../core/ports/store.ts'
import type { Compiled } from './compiled.ts'
import { entityTag } from './conditions.ts'
import type { OperationResponse, Engine, OperationRequest } from './operation.ts'
import { allows } from '../core/declaration/scope.ts'
import { renderOne } from './render.ts'

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
