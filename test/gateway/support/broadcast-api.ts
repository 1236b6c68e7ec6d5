import type { TestContext } from 'node:test'
import type { Store } from '../../../src/core/ports/store.ts'
import type { Config } from '../../../src/config/config.ts'
import { standardOffer } from '../../../src/wiring/wire.ts'
import { startApi, type TestApi } from '../../support/api.ts'
import { noPostgres } from '../../support/postgres/database.ts'
import { openStore } from './stores.ts'

/** The stores that broadcasts are tried over, and why one of them is not. */
export const broadcastStores = [
  ['memory', false],
  ['sqlite', false],
  ['postgres', await noPostgres()],
] as const

/** The name of a store. */
export type BroadcastStore = (typeof broadcastStores)[number][0]

/** JSON that a test looks into without checking each step. */
type Json = ReturnType<typeof JSON.parse>

/** A service with what tests of broadcasts ask of it. */
export interface BroadcastApi extends TestApi {
  /** Makes a broadcast, and gives it as it was answered. */
  broadcast(body: object): Promise<Json>
  /** The broadcast as it is now. */
  read(id: string): Promise<Json>
  /** Lets things take their course until this holds of a broadcast, and gives it. */
  until(id: string, holds: (broadcast: Json) => boolean): Promise<Json>
  /** Its messages, the oldest first. */
  messagesOf(id: string): Promise<readonly Json[]>
  /** Makes a group of so many contacts, by the identifiers `<name>-0000` and on. */
  group(name: string, size: number, fields?: (index: number) => object): Promise<void>
}

/** Opens an empty store of all that there is to a service. */
export function openBroadcastStore(kind: BroadcastStore): Promise<Store> {
  return openStore(kind, standardOffer.collections)
}

/** Starts the service over a store of this kind. */
export async function startBroadcasts(
  t: TestContext,
  kind: BroadcastStore,
  options: { readonly config?: Partial<Config>; readonly store?: Store } = {},
): Promise<BroadcastApi> {
  const store = options.store ?? (await openBroadcastStore(kind))
  const api = await startApi(t, { store, ...(options.config && { config: options.config }) })
  const read = async (id: string): Promise<Json> => (await api.get(`/v1/broadcasts/${id}`)).json

  return {
    ...api,
    read,
    broadcast: async (body) => succeeded(await api.post('/v1/broadcasts', body)),
    until: async (id, holds) => {
      for (let round = 0; round < 3000; round += 1) {
        const found = await read(id)
        if (holds(found)) return found
        await api.clock.advance(20)
      }
      throw new Error(`it never came to this: ${JSON.stringify(await read(id))}`)
    },
    messagesOf: async (id) => {
      const path = `/v1/broadcasts/${id}/messages?pageSize=1000&sort=id_asc`
      return succeeded(await api.get(path))
    },
    group: async (name, size, fields = () => ({})) => {
      succeeded(await api.put(`/v1/groups/${name}`, { name }))
      for (let index = 0; index < size; index += 1) {
        const number = String(index).padStart(4, '0')
        const contact = { name: `No ${index}`, address: `+49151000${number}`, ...fields(index) }
        const id = `${name}-${number}`
        succeeded(await api.put(`/v1/contacts/${id}`, contact))
        succeeded(await api.post(`/v1/groups/${name}/contacts`, { id }))
      }
    },
  }
}

function succeeded({ status, json, text }: { status: number; json: Json; text: string }): Json {
  if (status >= 300) throw new Error(text)
  return json
}
