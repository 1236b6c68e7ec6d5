import type { JsonObject } from '../core/json.ts'
import type { Reader, Stored } from '../core/store.ts'
import type { Compiled } from './compiled.ts'
import { entityTag } from './conditions.ts'
import type { Answer, Engine } from './operation.ts'
import { render } from './render.ts'

/** The answer to a write: the instance, and behind its fields what only this answer shows. */
export async function answerWith(
  status: number,
  compiled: Compiled,
  stored: Stored,
  reveal: JsonObject,
  reader: Reader,
  engine: Engine,
): Promise<Answer> {
  const [rendered] = await render(compiled, [stored], reader, engine)
  const { text, revision } = rendered ?? { text: stored.doc, revision: stored.revision }
  const shown = Object.keys(reveal).length > 0
  const body = shown ? JSON.stringify({ ...JSON.parse(text), ...reveal }) : text
  return { status, headers: { etag: entityTag(revision) }, body }
}
