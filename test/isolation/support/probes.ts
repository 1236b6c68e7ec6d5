import { qualifiedName } from '../../../src/core/declaration/collection.ts'
import type { Fields } from '../../../src/core/declaration/field.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../../src/core/json.ts'
import { common, type Compiled, namedBy } from '../../../src/engine/compiled.ts'
import {
  bodyOf,
  chosenId,
  collections,
  parentOf,
  pathOf,
  type Known,
  type Neighbour,
} from './world.ts'

/** A request that tries to learn something of the other account. */
export interface Probe {
  readonly method: string
  readonly target: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: JsonValue
}

/** Requests that change nothing. */
export function readingProbes(neighbour: Neighbour): readonly Probe[] {
  return [
    ...collections.flatMap((compiled) => readingProbesOf(compiled, neighbour)),
    ...views(neighbour),
  ]
}

/** Requests that would change something, the mildest first. */
export function writingProbes(neighbour: Neighbour): readonly Probe[] {
  const probes = collections.flatMap((compiled) => writingProbesOf(compiled, neighbour))
  const isDelete = ({ method }: Probe): boolean => method === 'DELETE'
  return [...probes.filter((probe) => !isDelete(probe)), ...probes.filter(isDelete).toReversed()]
}

function readingProbesOf(compiled: Compiled, neighbour: Neighbour): readonly Probe[] {
  const known = knownOf(compiled, neighbour)
  const inside = paths(compiled, neighbour).flatMap((path): Probe[] => [
    { method: 'GET', target: path },
    { method: 'HEAD', target: path },
    { method: 'OPTIONS', target: path },
    { method: 'GET', target: path, headers: { prefer: 'count=exact' } },
    { method: 'QUERY', target: path, body: {} },
  ])
  const instances = instancePaths(compiled, neighbour).flatMap((path): Probe[] => [
    { method: 'GET', target: path },
    { method: 'HEAD', target: path },
    { method: 'OPTIONS', target: path },
    ...conditions(known).map((headers) => ({ method: 'GET', target: path, headers })),
  ])
  return [...inside, ...instances, ...queries(compiled, known)]
}

/** Every parameter of a list of ours, with what is known of theirs. */
function queries(compiled: Compiled, known: Known): readonly Probe[] {
  const path = ownPath(compiled)
  const shown =
    compiled.members === null ? compiled : collectionCalled(qualifiedName(compiled.members))
  const fields: Fields = { ...common, ...shown.declared.fields }
  // Identifiers of requests are random: their order differs between two runs.
  const compared = leaves(fields, known.instance).filter(([name]) => name !== 'requestId')
  const asked = compared.flatMap(([name, value]) => [
    ...['', '_ne', '_gt', '_gte', '_lt', '_lte', '_like'].map(
      (suffix) => `${name}${suffix}=${value}`,
    ),
    `${name}_like=${value.slice(0, 4)}*`,
    `sort=${name}_asc`,
    `sort=${name}_desc&pageSize=1`,
  ])
  const cursors = known.cursors.flatMap((cursor) => [
    `after=${cursor}`,
    `after=${cursor}&pageSize=1`,
    `after=${cursor}&sort=createdAt_asc,id_asc`,
  ])
  const others = ['search=theirs', 'search=text', 'page=1&pageSize=1', 'page=2', 'pageSize=1000']
  const parameters = [...asked, ...cursors, ...others, ...known.ids.map((id) => `id=${id}`)]
  return parameters.flatMap((query): Probe[] => [
    { method: 'GET', target: `${path}?${query}`, headers: { prefer: 'count=exact' } },
    {
      method: 'POST',
      target: path,
      headers: { 'x-http-method-override': 'GET' },
      body: Object.fromEntries(new URLSearchParams(query)),
    },
  ])
}

function writingProbesOf(compiled: Compiled, neighbour: Neighbour): readonly Probe[] {
  const known = knownOf(compiled, neighbour)
  const sets = [{}, ...conditions(known)]
  const instances = instancePaths(compiled, neighbour).flatMap((target) =>
    sets.flatMap((headers): Probe[] => [
      { method: 'PATCH', target, headers, body: {} },
      { method: 'PATCH', target, headers, body: { ...known.body, ...known.instance } },
      { method: 'PUT', target, headers, body: bodyOf(compiled, 'ours') },
      { method: 'DELETE', target, headers },
    ]),
  )
  const path = ownPath(compiled)
  const own = `${path}/${chosenId('ours', compiled)}`
  const bodies = guesses(compiled, known)
  const created = paths(compiled, neighbour).flatMap((target) =>
    bodies.flatMap((body): Probe[] => [
      { method: 'POST', target, body },
      {
        method: 'POST',
        target,
        body,
        headers: { 'idempotency-key': `known-${qualifiedName(compiled.declared)}` },
      },
    ]),
  )
  const changed = bodies.flatMap((body): Probe[] => [
    { method: 'PATCH', target: own, body, headers: { 'if-match': '*' } },
    { method: 'PUT', target: own, body, headers: { 'if-match': '*' } },
    ...known.etags.map((etag) => ({
      method: 'PATCH',
      target: own,
      body,
      headers: { 'if-match': etag },
    })),
  ])
  return [...created, ...changed, ...instances]
}

/** Bodies that name what is theirs: as a reference, as a unique value, as an owner, as themselves. */
function guesses(compiled: Compiled, known: Known): readonly JsonObject[] {
  const base = bodyOf(compiled, 'ours')
  const unlike = bodyOf(compiled, 'ours', 3)
  const references = compiled.references.flatMap((reference) =>
    namedBy(reference, known.body).map(() => only(base, known.body, reference.path[0] ?? '')),
  )
  const single = compiled.settable.map(({ name }) => only(unlike, known.body, name))
  const owned = compiled.declared.owned ? [{ ...unlike, account: 'theirs' }] : []
  const ids = known.ids.map((id) => ({ ...base, id }))
  return [unlike, ...references, ...single, ...owned, ...ids, known.body]
}

function only(base: JsonObject, other: JsonObject, name: string): JsonObject {
  return Object.hasOwn(other, name) ? { ...base, [name]: other[name] ?? null } : base
}

/** The collection inside its own parent, inside theirs, and inside one that never was. */
function paths(compiled: Compiled, neighbour: Neighbour): readonly string[] {
  const parent = parentOf(compiled)
  if (parent === undefined) return [pathOf(compiled, '')]
  return [chosenId('ours', parent), ...knownOf(parent, neighbour).ids, 'never'].map((id) =>
    pathOf(compiled, id),
  )
}

function instancePaths(compiled: Compiled, neighbour: Neighbour): readonly string[] {
  const ids = [...knownOf(compiled, neighbour).ids, 'never', chosenId('ours', compiled)]
  const inOwn = `${ownPath(compiled)}/${chosenId('ours', compiled)}`
  return paths(compiled, neighbour)
    .flatMap((path) => ids.map((id) => `${path}/${id}`))
    .filter((path) => path !== inOwn)
}

function ownPath(compiled: Compiled): string {
  const parent = parentOf(compiled)
  return pathOf(compiled, parent === undefined ? '' : chosenId('ours', parent))
}

function conditions({ etags }: Known): readonly Readonly<Record<string, string>>[] {
  return ['*', ...etags].flatMap((tag) => [{ 'if-match': tag }, { 'if-none-match': tag }])
}

/** The view of the notifications, from their places on. */
function views({ positions }: Neighbour): readonly Probe[] {
  const target = '/v1/notifications'
  return [
    { method: 'GET', target },
    { method: 'GET', target: `${target}?types=SENT&statuses=DELIVERED&pageSize=1` },
    ...positions.flatMap((position): Probe[] => [
      { method: 'GET', target: `${target}?after=${position}` },
      { method: 'GET', target, headers: { 'last-event-id': position } },
    ]),
  ]
}

/** The single values of the fields of an instance, by dotted name. */
function leaves(fields: Fields, instance: JsonObject): readonly (readonly [string, string])[] {
  return Object.keys(fields).flatMap((name) => leavesAt(name, instance[name]))
}

function leavesAt(
  name: string,
  value: JsonValue | undefined,
): readonly (readonly [string, string])[] {
  if (Array.isArray(value)) return leavesAt(name, value[0] ?? null)
  if (isJsonObject(value)) {
    return Object.entries(value).flatMap(([inner, item]) => leavesAt(`${name}.${inner}`, item))
  }
  return [[name, encodeURIComponent(String(value ?? 'null'))]]
}

function knownOf(compiled: Compiled, { known }: Neighbour): Known {
  const found = known.get(qualifiedName(compiled.declared))
  if (found === undefined) throw new Error(`nothing is known of ${compiled.declared.name}`)
  return found
}

function collectionCalled(name: string): Compiled {
  const found = collections.find(({ declared }) => qualifiedName(declared) === name)
  if (found === undefined) throw new Error(`there is no collection ${name}`)
  return found
}
