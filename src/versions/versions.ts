import { qualifiedName, type Collection } from '../core/declaration/collection.ts'
import { Problem } from '../core/problem.ts'
import { versionFaults } from './version-faults.ts'
import { collectionTranslation, type CollectionTranslation } from './collection-translation.ts'
import type { Version, VersionChange } from '../core/declaration/version.ts'
import type { JsonObject } from '../core/json.ts'
import { isAlert } from '../core/ports/notification-log.ts'

/** The versions by name. */
export interface Versions {
  readonly names: readonly string[]
  /** The version that handlers speak. */
  readonly newest: string
  /** Finds a version; throws `not-found` for an unknown one, `gone` for a retired one. */
  find(name: string): ServedVersion
  /** The former names of collections. Scopes of keys may still contain them. */
  readonly former: readonly string[]
  /** Translates a scope to the newest version. */
  scopeUp(scope: string): string
  /** Translates a notification record, as JSON text, to a version, even if that is retired. */
  recordIn(name: string, record: string): string
}

/** The fields that every instance has. */
const common = ['id', 'createdAt', 'updatedAt']

/**
 * Prepares the versions, the oldest first. The collections are those of the newest version. Throws
 * an `Error` that names the version and the change if a change has no target.
 */
export function versions(
  declared: readonly Version[],
  collections: readonly Collection[],
): Versions {
  checkChanges(declared, collections)
  const served = new Map(
    declared.map((version, index) => {
      const [before, later] = [declared.slice(0, index + 1), declared.slice(index + 1)]
      return [version.name, serve(version, before, later, collections)]
    }),
  )
  const former = formerNames(served.values(), collections)
  const newest = declared.at(-1)?.name ?? 'v1'
  const retired = new Set(declared.filter((version) => version.retired).map(({ name }) => name))
  return {
    names: [...served.keys()].filter((name) => !retired.has(name)),
    newest,
    former: [...former.keys()],
    scopeUp: (scope) => scopeUp(scope, former),
    find: (name) => {
      const version = served.get(name)
      if (version === undefined) {
        throw new Problem(
          'not-found',
          `There is no version ${JSON.stringify(name)}. GET / lists them.`,
        )
      }
      if (!retired.has(name)) return version
      throw new Problem('gone', `The version ${name} has ended. Use ${newest}.`, {
        headers: { link: `</${newest}>; rel="successor-version"` },
      })
    },
    recordIn: (name, record) => {
      const version = served.get(name)
      return version === undefined ? record : recordDown(version, record)
    },
  }
}

function serve(
  version: Version,
  before: readonly Version[],
  later: readonly Version[],
  collections: readonly Collection[],
): ServedVersion {
  // The steps lead from the newest change back to the first one after this version.
  const steps = later.flatMap(({ changes }) => changes).toReversed()
  const translations = new Map<string, CollectionTranslation | null>()
  const ups = new Map<string, string>()
  const downs = new Map<string, string>()
  for (const collection of collections) {
    const name = qualifiedName(collection)
    const { old, concerning } = walkBack(name, steps)
    if (old === null) continue
    ups.set(old, name)
    downs.set(name, old)
    const served = servedNames(collection)
    const differs = concerning.length > 0
    translations.set(
      name,
      differs ? collectionTranslation(old, [served, choicesOf(collection)], concerning) : null,
    )
  }
  return {
    name: version.name,
    headers: ending(version),
    collectionUp: (name) => ups.get(name) ?? null,
    collectionDown: (qualified) => downs.get(qualified) ?? null,
    movedTo: (name) => (ups.has(name) ? null : movedTo(name, before)),
    translation: (qualified) => translations.get(qualified) ?? null,
  }
}

/** Follows a collection back in time: its old name, and the changes of its fields on the way. */
function walkBack(
  name: string,
  steps: readonly VersionChange[],
): { old: string | null; concerning: readonly VersionChange[] } {
  let old = name
  const concerning: VersionChange[] = []
  for (const step of steps) {
    if (step.kind === 'collectionAdded') {
      const isAdded = step.collection === old || old.startsWith(`${step.collection}/`)
      if (isAdded) return { old: null, concerning }
    } else if (step.kind === 'collectionRenamed') {
      if (step.to === old) old = step.from
      else if (old.startsWith(`${step.to}/`)) old = step.from + old.slice(step.to.length)
    } else if (step.collection === old) concerning.push(step)
  }
  return { old, concerning }
}

/** Follows a name through the renamings up to a version. Returns null if the name never changed. */
function movedTo(name: string, before: readonly Version[]): string | null {
  const renamings = before.flatMap(({ changes }) => changes)
  const last = renamings.reduce(
    (now, change) => (change.kind === 'collectionRenamed' && change.from === now ? change.to : now),
    name,
  )
  return last === name ? null : last
}

function servedNames({ fields }: Collection): readonly string[] {
  const declared = Object.keys(fields).filter((name) => fields[name]?.internal !== true)
  return [...common.slice(0, 1), ...declared, ...common.slice(1)]
}

function choicesOf({ fields }: Collection): ReadonlySet<string> {
  return new Set(Object.keys(fields).filter((name) => fields[name]?.kind === 'choice'))
}

/**
 * Returns the header fields: `Deprecation` holds a structured date (RFC 9651), `Sunset` an HTTP
 * date.
 */
function ending({ deprecatedAt, sunsetAt }: Version): Readonly<Record<string, string>> {
  return {
    ...(deprecatedAt === undefined ? {} : { deprecation: `@${Math.floor(deprecatedAt / 1000)}` }),
    ...(sunsetAt === undefined ? {} : { sunset: new Date(sunsetAt).toUTCString() }),
  }
}

/** Throws if a change names something undeclared: such a service does not start. */
function checkChanges(declared: readonly Version[], collections: readonly Collection[]): void {
  const [fault] = versionFaults(declared, collections)
  if (fault === undefined) return
  const { name = '', changes = [] } = declared[fault.version] ?? {}
  throw new Error(`version ${name}: ${changes[fault.change]?.kind} ${fault.detail}`)
}

/** The names that collections at the root had in older versions, each with the one that it has now. */
type FormerNames = ReadonlyMap<string, string>

/** Collects the former names, except those that another collection has now. */
function formerNames(
  versions: Iterable<ServedVersion>,
  collections: readonly Collection[],
): FormerNames {
  const roots = collections.filter(({ parent }) => parent === null).map(qualifiedName)
  const found = [...versions].flatMap((version) =>
    roots.map((name) => [version.collectionDown(name) ?? name, name] as const),
  )
  return new Map(found.filter(([old]) => !roots.includes(old)))
}

/** Returns a scope with the newest names: a key remains valid if its collection is renamed. */
function scopeUp(scope: string, former: FormerNames): string {
  const [name = '', access] = scope.split(':')
  const now = former.get(name)
  return now === undefined || access === undefined ? scope : `${now}:${access}`
}

/** A version, ready to be served. */
export interface ServedVersion {
  readonly name: string
  /** Header fields of every answer in it (RFC 9745, RFC 8594). */
  readonly headers: Readonly<Record<string, string>>
  /**
   * Returns the name of a collection in the newest version; null if this version has no such
   * collection.
   */
  collectionUp(name: string): string | null
  /**
   * Returns the qualified name in this version of a collection of the newest one; null if there is
   * none.
   */
  collectionDown(qualified: string): string | null
  /** Returns the name that a collection has in this version, by its name in an earlier version. */
  movedTo(name: string): string | null
  /**
   * Returns the differences from the newest version of a collection, by its newest qualified name;
   * null if none.
   */
  translation(qualified: string): CollectionTranslation | null
}

/**
 * Translates a notification record, as JSON text, to a version: it has the fields of a message. An
 * alert has none of them and is the same in every version.
 */
export function recordDown(version: ServedVersion, record: string): string {
  const translation = version.translation('messages')
  if (translation === null) return record
  const parsed: JsonObject = JSON.parse(record)
  if (isAlert(parsed['type'])) return record
  return JSON.stringify(translation.instanceDown(parsed))
}
