import { EventEmitter, once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { TestContext } from 'node:test'
import type { Declared } from '../../src/declarations/declared.ts'
import { fakeCollection, Refused, type FakeCollection, type Instance } from './fake-collection.ts'

/** Address of a service, and a key to it. */
export interface Opened {
  readonly baseUrl: string
  readonly key: string
}

/**
 * Starts a service with the given collections in memory, as far as the tests use it. A message is delivered
 * immediately. It ends with the test.
 */
export async function fakeService(t: TestContext, declared: readonly Declared[]): Promise<Opened> {
  const key = 'nuncio_fake'
  const service: Service = {
    key,
    declared,
    collections: new Map(),
    answers: new Map(),
    log: [],
    grown: new EventEmitter(),
    made: 0,
  }
  const server = createServer((request, response) => {
    void answer(service, request, response).catch((error: unknown) => refuse(response, error))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, key }
}

interface Service {
  readonly key: string
  readonly declared: readonly Declared[]
  /** By path, those within an instance too. */
  readonly collections: Map<string, FakeCollection>
  /** Created instances, by idempotency key. */
  readonly answers: Map<string, string>
  readonly log: Instance[]
  readonly grown: EventEmitter
  made: number
}

async function answer(
  service: Service,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { method = '', url = '', headers } = request
  const body = await text(request)
  const { pathname, searchParams } = new URL(url, 'http://fake')
  if (headers.authorization !== `Bearer ${service.key}`) throw new Refused(401, 'unauthorized')
  if (url.length > 8000) throw new Refused(414, 'uri-too-long')
  const [, , ...names] = pathname.split('/').map(decodeURIComponent)
  if (names[0] === 'notifications') return notify(service, request, response, searchParams)

  const isNested = names.length > 2
  const path = isNested ? names.slice(0, 3).join('/') : (names[0] ?? '')
  const collection = collectionAt(service, path)
  const id = names[isNested ? 3 : 1]
  if (id !== undefined) return onInstance(collection, id, method, body, request, response)
  const overridden = headers['x-http-method-override'] === 'GET'
  if (method === 'POST' && !overridden)
    return create(service, path, collection, body, request, response)

  const asked = overridden ? pairs(JSON.parse(body)) : [...searchParams]
  const { items, next, total } = collection.list(asked)
  const counts = headers['prefer'] === 'count=exact'
  const link = next === null ? {} : { link: `<${pathname}?after=${next}>; rel="next"` }
  send(response, 200, items, { ...link, ...(counts ? { 'x-total-count': String(total) } : {}) })
}

function collectionAt(service: Service, path: string): FakeCollection {
  const [root = '', id, name] = path.split('/')
  const declared = service.declared.find(
    (each) =>
      each.name === (name ?? root) && (each.parent ?? null) === (name === undefined ? null : root),
  )
  if (declared === undefined) throw new Refused(404, 'not-found')
  if (id !== undefined && !collectionAt(service, root).has(id)) throw new Refused(404, 'not-found')
  const known = service.collections.get(path) ?? fakeCollection(declared)
  service.collections.set(path, known)
  return known
}

function create(
  service: Service,
  path: string,
  collection: FakeCollection,
  body: string,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const key = String(request.headers['idempotency-key'])
  const known = service.answers.get(key)
  const id = known ?? `${path.split('/').at(-1)}_${String((service.made += 1)).padStart(4, '0')}`
  if (known === undefined) {
    service.answers.set(key, id)
    const status = { id: 'DELIVERED.null', type: 'DELIVERED' }
    collection.save(id, { ...JSON.parse(body), ...(path === 'messages' ? { status } : {}) }, false)
    if (path === 'messages') deliver(service, collection.find(id).instance)
  }
  const { instance, etag } = collection.find(id)
  send(response, 201, instance, { etag })
}

function onInstance(
  collection: FakeCollection,
  id: string,
  method: string,
  body: string,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  if (method !== 'PUT') collection.find(id)
  const before = collection.has(id) ? collection.find(id).etag : null
  const { 'if-match': ifMatch, 'if-none-match': ifNoneMatch } = request.headers
  if (method === 'GET' && ifNoneMatch === before) return send(response, 304, undefined, {})
  if (ifMatch !== undefined && ifMatch !== before) throw new Refused(412, 'precondition-failed')
  if (ifNoneMatch === '*' && before !== null) throw new Refused(412, 'precondition-failed')
  if (method === 'DELETE') {
    collection.remove(id)
    return send(response, 204, undefined, {})
  }
  if (method !== 'GET') collection.save(id, JSON.parse(body), method === 'PATCH')
  const { instance, etag } = collection.find(id)
  send(response, 200, instance, { etag })
}

/** The fields of a record, in their order. */
const recordFields = (
  'id type from to body encoding protocolId messageClass numberOfParts creditCost submission ' +
  'status relatedSentMessageId userSuppliedId'
).split(' ')

function deliver(service: Service, message: Instance): void {
  service.log.push(Object.fromEntries(recordFields.map((name) => [name, message[name] ?? null])))
  service.grown.emit('grown')
}

async function notify(
  { log, grown }: Service,
  request: IncomingMessage,
  response: ServerResponse,
  parameters: URLSearchParams,
): Promise<void> {
  const streams = request.headers['accept'] === 'text/event-stream'
  const after = request.headers['last-event-id'] ?? parameters.get('after')
  let place = Number(after ?? (streams ? log.length : 0))
  if (!streams) {
    const items = log.slice(place, place + Number(parameters.get('pageSize') ?? 50))
    const link = `</v1/notifications?after=${place + items.length}>; rel="next"`
    return send(response, 200, items, { link })
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.write(`id: ${place}\n\n`)
  while (!response.closed) {
    for (; place < log.length; place += 1) {
      response.write(`id: ${place + 1}\ndata: ${JSON.stringify(log[place])}\n\n`)
    }
    await Promise.race([once(grown, 'grown'), once(response, 'close')])
  }
}

function pairs(body: Record<string, string | readonly string[]>): [string, string][] {
  return Object.entries(body).flatMap(([name, values]) =>
    [values].flat().map((value): [string, string] => [name, value]),
  )
}

function refuse(response: ServerResponse, error: unknown): void {
  const { status, type, errors } = error instanceof Refused ? error : new Refused(500, 'internal')
  const problem = { type: `/problems/${type}`, title: type, status, errors, requestId: 'request_1' }
  const headers = { 'content-type': 'application/problem+json' }
  send(response, status, problem, headers)
}

function send(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>>,
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(body === undefined ? undefined : JSON.stringify(body))
}
