import { Problem } from '../../core/problem.ts'
import type { Catalogue } from '../../engine/catalogue.ts'
import type { ServedVersion } from '../../versions/versions.ts'
import type { RoutedResource } from './routes.ts'

/** Splits a path into its decoded segments; throws if the percent-encoding is malformed. */
export function segmentsOf(path: string): readonly string[] {
  const segments: string[] = []
  for (let from = 1, to = 0; to !== -1; from = to + 1) {
    to = path.indexOf('/', from)
    segments.push(to === -1 ? path.slice(from) : path.slice(from, to))
  }
  if (!path.includes('%')) return segments
  const decoded = decode(segments)
  if (decoded.some((segment) => segment.includes('\0'))) {
    throw new Problem(
      'invalid-request',
      'The path has the character U+0000, which no text may have.',
    )
  }
  return decoded
}

function decode(segments: readonly string[]): readonly string[] {
  try {
    return segments.map((segment) => decodeURIComponent(segment))
  } catch {
    throw new Problem(
      'invalid-request',
      'The path is not percent-encoded UTF-8 (RFC 3986 section 2.1).',
    )
  }
}

/**
 * Returns the resource that the path segments after the version name, in the words of that version.
 * Throws `not-found`, or `gone` if the version renamed the collection.
 */
export function findResource(
  catalogue: Catalogue,
  version: ServedVersion,
  segments: readonly string[],
): RoutedResource {
  const [first = '', id, second, nestedId, ...rest] = segments
  const root = catalogue.find(version.collectionUp(first) ?? '')
  if (root === null || root.declared.parent !== null) throw noCollection(version, segments)
  if (second === undefined) return { compiled: root, parent: null, id: named(id) }

  const nested = catalogue.find(version.collectionUp(`${first}/${second}`) ?? '')
  if (nested === null || rest.length > 0) {
    throw unknownPath(version, `Instances of ${first} have no such path.`)
  }
  const parent = { compiled: root, id: id ?? '' }
  return { compiled: nested, parent, id: named(nestedId) }

  /** A path that ends with a slash names nothing. */
  function named(text: string | undefined): string | null {
    if (text === '') throw unknownPath(version, 'The path must not end with a slash.')
    return text ?? null
  }
}

function noCollection(version: ServedVersion, [name = '', ...rest]: readonly string[]): Problem {
  const successor = version.movedTo(name)
  if (successor === null) {
    return unknownPath(version, `Unknown collection ${JSON.stringify(name)}.`)
  }
  const url = ['', version.name, successor, ...rest.map(encodeURIComponent)].join('/')
  return new Problem('gone', `${name} are called ${successor} in ${version.name}.`, {
    headers: { link: `<${url}>; rel="successor-version"` },
  })
}

function unknownPath(version: ServedVersion, detail: string): Problem {
  return new Problem('not-found', `${detail} GET /${version.name} lists the collections.`)
}
