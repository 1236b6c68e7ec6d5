import { qualifiedName } from '../../../src/core/declaration/collection.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../../src/core/json.ts'
import { catalogue } from '../../../src/engine/catalogue.ts'
import { common, type Compiled } from '../../../src/engine/compiled.ts'
import type { PlainRequest } from '../../../src/http/server/request.ts'
import { isolationOffer } from '../../isolation/support/offer.ts'
import { sampleBody } from '../../isolation/support/sample-body.ts'
import { callbackFoundation, malformedCallback } from './callbacks.ts'
import type { Dice } from './dice.ts'
import {
  nastyBytes,
  nastyHeaders,
  nastyJson,
  nastyMethods,
  nastySegments,
  nastyTexts,
  nastyValues,
} from './nasty.ts'

/** The collections that are asked for: those of every installation, and an operator's own. */
const collections: readonly Compiled[] = catalogue(isolationOffer.collections).all

/** Keys to ask with. */
export interface Keys {
  readonly account: string
  readonly admin: string
}

/** Requests that make what the others go on about: an instance `ada` of everything, parents first. */
export function* foundations(keys: Keys): Iterable<PlainRequest> {
  for (const compiled of collections.toSorted((a, b) => depth(a) - depth(b))) {
    if (!compiled.declared.methods.instance.includes('PUT')) continue
    const text = JSON.stringify(bodyOf(compiled))
    yield withBody('PUT', `${pathOf(compiled, 'ada')}/ada`, text, keyFor(compiled, keys))
  }
  yield callbackFoundation(keys.admin)
}

/** Every field of every collection with every value: the only thing wrong, if anything is. */
export function* everyFieldWithEveryValue(keys: Keys): Iterable<PlainRequest> {
  for (const compiled of collections) {
    const path = pathOf(compiled, 'ada')
    const body = bodyOf(compiled)
    const key = keyFor(compiled, keys)
    for (const { name } of compiled.settable) {
      for (const value of nastyValues) {
        yield withBody('POST', path, JSON.stringify({ ...body, [name]: value }), key)
        yield withBody('PATCH', `${path}/ada`, JSON.stringify({ [name]: value }), key)
      }
      for (const text of nastyTexts) {
        yield plain('GET', `${path}?${name}_gte=${encodeURIComponent(text)}`, key)
        yield plain('GET', `${path}?${encodeURIComponent(`${name}.${text}`)}=a`, key)
      }
    }
    for (const text of nastyJson) yield withBody('POST', path, text, key)
    for (const bytes of nastyBytes) {
      yield { ...withBody('PUT', `${path}/ada`, '', key), body: bytes }
    }
  }
}

/** A request with something wrong somewhere, and perhaps elsewhere, too. */
export function malformed(dice: Dice, key: string): PlainRequest {
  const kind = dice.pick([
    malformedBody,
    malformedBody,
    malformedQuery,
    malformedQuery,
    malformedPath,
    malformedCallback,
  ])
  const request = kind(dice, key)
  const headers = dice.once(2) ? { ...request.headers, ...someHeaders(dice) } : request.headers
  const method = dice.once(12) ? dice.pick(nastyMethods) : request.method
  return { ...request, method, headers }
}

function keyFor({ declared }: Compiled, { account, admin }: Keys): string {
  const parent = collections.find((each) => qualifiedName(each.declared) === declared.parent)
  const root = (parent ?? { declared }).declared
  return root.administratorsOnly || root.changedByAdministrators ? admin : account
}

function depth({ declared, references }: Compiled): number {
  return (declared.parent === null ? 0 : 1) + references.length
}

function malformedBody(dice: Dice, key: string): PlainRequest {
  const compiled = dice.pick(collections)
  const path = pathOf(compiled, dice.pick(['ada', 'bob']))
  const [method, target] = dice.pick([
    ['POST', path],
    ['PUT', `${path}/${dice.pick(['ada', 'bob', ...nastySegments])}`],
    ['PATCH', `${path}/ada`],
  ] as const)
  const text = dice.once(4)
    ? dice.pick(nastyJson)
    : mutatedText(dice, JSON.stringify(mutated(dice, bodyOf(compiled))))
  const request = withBody(method, target, text, key)
  if (!dice.once(20)) return request
  return { ...request, body: Buffer.concat([request.body, dice.pick(nastyBytes)]) }
}

/** Changes a value here and there, and puts in members that do not belong. */
function mutated(dice: Dice, value: JsonValue): JsonValue {
  if (dice.once(6)) return dice.pick(nastyValues)
  if (Array.isArray(value)) {
    return [...value, ...value].map((item: JsonValue) => mutated(dice, item))
  }
  if (!isJsonObject(value)) return value
  const entries = Object.entries(value)
    .filter(() => !dice.once(8))
    .map(([name, item]) => [name, mutated(dice, item)] as const)
  const others = dice.some(2, () => [dice.pick(nastyTexts), dice.pick(nastyValues)] as const)
  return Object.fromEntries([...entries, ...others])
}

/** Cuts a text, doubles a piece of it, or puts a strange one in. */
function mutatedText(dice: Dice, text: string): string {
  const [from, to] = [dice.roll(text.length + 1), dice.roll(text.length + 1)]
  return dice.pick([
    text,
    text,
    text.slice(0, from),
    text.slice(from),
    text.slice(0, from) + text.slice(to),
    text.slice(0, from) + dice.pick(nastyTexts) + text.slice(from),
    text.slice(0, from) + dice.pick(nastyJson).slice(0, 1000) + text.slice(from),
    text.replaceAll('"', "'"),
    text.replace('{', '{"__proto__":{"a":1},'),
    `${text}${text}`,
  ])
}

function malformedQuery(dice: Dice, key: string): PlainRequest {
  const compiled = dice.pick(collections)
  const own = pathOf(compiled, 'ada')
  const path = dice.pick([own, own, '/v1/notifications'])
  const pairs = dice.some(5, () => parameter(dice, compiled))
  const separator = dice.pick(['&', '&', '&', ';', '&&', '?'])
  const query = dice.once(15) ? dice.pick(queries) : pairs.join(separator)
  if (!dice.once(5)) return plain('GET', `${path}?${query}`, key)

  const asked = Object.fromEntries(new URLSearchParams(query))
  const [type, body] = dice.pick([
    ['application/x-www-form-urlencoded', query],
    ['application/json', JSON.stringify(mutated(dice, asked))],
    ['application/json', dice.pick(nastyJson)],
  ] as const)
  const request = withBody(dice.pick(['POST', 'QUERY']), path, body, key)
  const override = request.method === 'POST' ? { 'x-http-method-override': 'GET' } : {}
  return { ...request, headers: { ...request.headers, ...override, 'content-type': type } }
}

/** Queries that are long, repeat themselves, or are no queries. */
const queries: readonly string[] = [
  '%',
  '%zz=%zz',
  '=',
  '&'.repeat(2000),
  '?'.repeat(2000),
  'a=b=c=d',
  '%00=%00',
  'id=%ff%fe',
  `id=${'x'.repeat(7000)}`,
  `id=${'x'.repeat(20_000)}`,
  'id=a&'.repeat(1200),
  'sort=id_asc&'.repeat(500),
  `sort=${'id_asc,'.repeat(500)}`,
  `fields=${'id,'.repeat(2000)}`,
  `search=${'a+'.repeat(3000)}`,
  `search=${Array.from({ length: 1400 }, (_, index) => index).join('+')}`,
  `name_like=${'*a'.repeat(3000)}`,
  'pageSize=1000&page=1000000000',
]

const suffixes = ['', '', '_ne', '_gt', '_gte', '_lt', '_lte', '_like', '_LIKE', '_x', '_', '__gt']

function parameter(dice: Dice, { known }: Compiled): string {
  const field = dice.pick([...Object.keys(known), ...Object.keys(common)])
  const suffix = dice.pick(suffixes)
  const text = dice.pick([...nastyTexts, 'ada', '2026-01-01T00:00:00Z', '12345'])
  const value = dice.once(5) ? text : encodeURIComponent(text)
  const [cursor, forged] = [dice.pick(nastyValues), ['id_desc', dice.pick(nastyValues)]].map(
    (content) => Buffer.from(JSON.stringify(content)).toString('base64url').slice(0, 500),
  )
  return dice.pick([
    `${field}${suffix}=${value}`,
    `${field}${suffix}=${value}`,
    `${field}.${value}=${value}`,
    `${value}=${value}`,
    `sort=${field}${dice.pick(['_asc', '_desc', '_up', '', ',', '_asc,id_desc'])}`,
    `fields=${field},${value}`,
    `search=${value}`,
    `page=${dice.pick(['0', '-1', '1e3', '1', '9'.repeat(20), '', value])}`,
    `pageSize=${dice.pick(['0', '1', '1000', '1001', 'x', '', value])}`,
    `after=${cursor}`,
    `after=${forged}`,
    `after=${value}`,
    `types=${value}&statuses=${value}`,
  ])
}

const versions = ['v1', 'v1', 'v1', 'v1', 'v2', 'v', 'V1', 'v01', 'v1.0', 'v1%20', '%76%31', '']

function malformedPath(dice: Dice, key: string): PlainRequest {
  const names = [...collections.map(({ declared }) => declared.name), 'notifications']
  const segments = dice.some(5, () => dice.pick([dice.pick(names), ...nastySegments]))
  const path = dice.pick([
    `/${[dice.pick(versions), ...segments].join('/')}`,
    `/${dice.pick(otherPaths)}`,
  ])
  const target = dice.once(20) ? path.slice(1) : path
  const method = dice.pick(['GET', 'HEAD', 'DELETE', 'OPTIONS', 'POST', 'PUT', 'PATCH'])
  return dice.once(3) ? withBody(method, target, '{}', key) : plain(method, target, key)
}

const otherPaths: readonly string[] = [
  '',
  'v1',
  'v1/',
  'docs',
  'docs/',
  'metrics',
  'health',
  'health/live',
  'health/ready',
  'problems',
  'problems/none',
  'problems/not-found',
  'v1/openapi.json',
  'favicon.ico',
]

function someHeaders(dice: Dice): Readonly<Record<string, string>> {
  const names = Object.keys(nastyHeaders)
  return Object.fromEntries(
    dice.some(3, () => {
      const name = dice.pick(names)
      return [name, dice.pick(nastyHeaders[name] ?? [''])] as const
    }),
  )
}

function pathOf({ declared }: Compiled, parent: string): string {
  return declared.parent === null
    ? `/v1/${declared.name}`
    : `/v1/${declared.parent}/${parent}/${declared.name}`
}

function bodyOf(compiled: Compiled): JsonObject {
  return sampleBody(compiled, { account: 'ours', turn: 1 }, () => 'ada')
}

function plain(method: string, target: string, key: string): PlainRequest {
  const headers = { host: 'localhost', authorization: `Bearer ${key}` }
  return { method, target, headers, body: new Uint8Array() }
}

function withBody(method: string, target: string, text: string, key: string): PlainRequest {
  const request = plain(method, target, key)
  const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json'
  const headers = { ...request.headers, 'content-type': type }
  return { ...request, headers, body: Buffer.from(text) }
}
