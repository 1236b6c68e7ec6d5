import { Problem } from '../core/problem.ts'
import type { Catalogue } from '../engine/catalogue.ts'
import type { Resource } from './routes.ts'

/** Splits a path into its decoded segments; throws where the percent-encoding is broken. */
export function segmentsOf(path: string): readonly string[] {
  const segments = path.split('/').slice(1)
  if (!path.includes('%')) return segments
  try {
    return segments.map((segment) => decodeURIComponent(segment))
  } catch {
    throw new Problem(
      'invalid-request',
      'The path is not percent-encoded UTF-8 (RFC 3986 section 2.1).',
    )
  }
}

/** Finds the resource that the segments behind the version name; throws `not-found`. */
export function findResource(catalogue: Catalogue, segments: readonly string[]): Resource {
  const [first = '', id, second, nestedId, ...rest] = segments
  const root = catalogue.root(first)
  if (root === null) throw unknownPath(`There is no collection ${JSON.stringify(first)}.`)
  if (second === undefined) return { compiled: root, parent: null, id: named(id) }

  const nested = catalogue.nested(first, second)
  if (nested === null || rest.length > 0) {
    throw unknownPath(`${root.declared.name} have no such path below an instance.`)
  }
  return { compiled: nested, parent: { compiled: root, id: id ?? '' }, id: named(nestedId) }
}

/** A path that ends with a slash names nothing. */
function named(id: string | undefined): string | null {
  if (id === '') throw unknownPath('The path ends with a slash. Leave it out.')
  return id ?? null
}

function unknownPath(detail: string): Problem {
  return new Problem('not-found', `${detail} GET /v1 lists the collections.`)
}
