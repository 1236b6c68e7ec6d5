import type { TestContext } from 'node:test'
import { qualifiedName } from '../../../src/core/declaration/collection.ts'
import type { JsonObject } from '../../../src/core/json.ts'
import type { Store } from '../../../src/core/ports/store.ts'
import type { Post } from '../../../src/delivery/egress/post.ts'
import { catalogue } from '../../../src/engine/catalogue.ts'
import type { Compiled } from '../../../src/engine/compiled.ts'
import { startApi, type Read, type TestApi } from '../../support/api.ts'
import { isolationOffer } from './offer.ts'
import { sampleBody } from './sample-body.ts'

/** The collections of the worlds, parents before what is nested in them. */
export const collections: readonly Compiled[] = catalogue(isolationOffer.collections).all.toSorted(
  (a, b) => Number(a.declared.parent !== null) - Number(b.declared.parent !== null),
)

/** A service with an account of ours, and with or without one of somebody else. */
export interface World {
  readonly api: TestApi
  /** Keys of ours: one that may do everything, one that only reads. */
  readonly keys: readonly string[]
  /** Makes the other account, with an instance of everything; what is known of it afterwards. */
  settle(): Promise<Neighbour>
}

/** What somebody might have come to know of another account. */
export interface Neighbour {
  readonly key: string
  readonly keyId: string
  /** By qualified name of the collection. */
  readonly known: ReadonlyMap<string, Known>
  readonly positions: readonly string[]
}

/** What somebody might have come to know of another account's instances in one collection. */
export interface Known {
  readonly ids: readonly string[]
  readonly etags: readonly string[]
  readonly cursors: readonly string[]
  readonly body: JsonObject
  readonly instance: JsonObject
}

/** The name of an account's chosen instance, the same in every collection but unlike any generated one. */
export function chosenId(account: string, { declared }: Compiled): string {
  return `${account}.${declared.noun}`
}

/** The path of a collection, inside the parent given where it is nested. */
export function pathOf({ declared }: Compiled, parent: string): string {
  const { name } = declared
  return declared.parent === null ? `/v1/${name}` : `/v1/${declared.parent}/${parent}/${name}`
}

/** The collection that another one is nested in. */
export function parentOf({ declared }: Compiled): Compiled | undefined {
  return collections.find((each) => qualifiedName(each.declared) === declared.parent)
}

/** Starts a world in which our account has an instance of everything. */
export async function startWorld(t: TestContext, store?: Store): Promise<World> {
  const api = await startApi(t, { offer: isolationOffer, post: accepting, ...(store && { store }) })
  const all = await api.newAccount('ours')
  await fill(api, 'ours', all)
  const reading = await api.post('/v1/keys', { scopes: ['*:read'] }, { key: all })
  return {
    api,
    keys: [all, reading.json.secret],
    settle: async () => {
      const key = await api.newAccount('theirs')
      await fill(api, 'theirs', key)
      return neighbour(api, key)
    },
  }
}

/** Gives an account an instance of everything under a chosen identifier, and another under a generated one. */
async function fill(api: TestApi, account: string, key: string): Promise<void> {
  for (const compiled of collections) {
    const { declared } = compiled
    const parent = parentOf(compiled)
    const root = (parent ?? compiled).declared
    const isOurs = !root.administratorsOnly && !root.changedByAdministrators
    const [as, whose] = isOurs ? [{ key }, ''] : [{}, `${account}-`]
    const path = pathOf(compiled, parent === undefined ? '' : chosenId(account, parent))
    const owned = declared.changedByAdministrators ? { account } : {}
    if (declared.methods.instance.includes('PUT')) {
      const body = { ...bodyOf(compiled, account), ...owned }
      expect(await api.put(`${path}/${chosenId(account, compiled)}`, body, as), 200, path)
    }
    if (declared.methods.collection.includes('POST')) {
      const headers = { 'idempotency-key': `${whose}known-${qualifiedName(declared)}` }
      const body = { ...bodyOf(compiled, account, 2), ...owned }
      expect(await api.post(path, body, { ...as, headers }), 201, path)
    }
  }
  // What is sent is delivered, told to the webhooks, and leaves a record of the attempts.
  await api.clock.advance(10_000)
}

/** A body of an account; its values say whose it is. Those of another turn are others. */
export function bodyOf(compiled: Compiled, account: string, turn = 1): JsonObject {
  if (compiled.members !== null) return { id: chosenId(account, compiled) }
  return sampleBody(compiled, { account, turn }, (collection) => {
    const target = collections.find(({ declared }) => declared.name === collection)
    return target === undefined ? '' : chosenId(account, target)
  })
}

async function neighbour(api: TestApi, key: string): Promise<Neighbour> {
  const known = new Map<string, Known>()
  for (const compiled of collections) {
    const { declared } = compiled
    const parent = parentOf(compiled)
    const as = (parent ?? compiled).declared.administratorsOnly ? {} : { key }
    const path = pathOf(compiled, parent === undefined ? '' : chosenId('theirs', parent))
    const list = expect(await api.get(path, as), 200, path)
    const paged = await api.get(`${path}?pageSize=1`, as)
    const theirs = list.json.filter(({ id }: { id: string }) => !id.startsWith('ours'))
    const ids: readonly string[] = theirs.map(({ id }: { id: string }) => id)
    const etags: string[] = []
    for (const id of ids) etags.push((await api.get(`${path}/${id}`, as)).headers['etag'] ?? '')
    known.set(qualifiedName(declared), {
      ids,
      etags,
      cursors: [...(paged.headers['link'] ?? '').matchAll(/after=([\w-]+)/g)].map(
        ([, c = '']) => c,
      ),
      body: bodyOf(compiled, 'theirs'),
      instance: theirs[0] ?? {},
    })
  }
  const page = await api.get('/v1/notifications?pageSize=1', { key })
  return {
    key,
    keyId: known.get('keys')?.ids[0] ?? '',
    known,
    positions: [...(page.headers['link'] ?? '').matchAll(/after=(\w+)/g)].map(([, p = '']) => p),
  }
}

/** Every receiver accepts: a retry would be planned at random. */
const accepting: Post = async () => ({ outcome: { kind: 'ACCEPTED', status: 200 }, response: '' })

function expect(answer: Read, status: number, what: string): Read {
  if (answer.status === status) return answer
  throw new Error(`${what} answered ${answer.status}: ${answer.text}`)
}
