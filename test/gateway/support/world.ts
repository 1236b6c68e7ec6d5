import { defaultAccount, type AccountId } from '../../../src/core/account.ts'
import type { Carrier } from '../../../src/core/ports/carrier.ts'
import { typeIds, type NewId } from '../../../src/core/id.ts'
import type { JsonObject } from '../../../src/core/json.ts'
import type { LogEntry } from '../../../src/core/ports/notification-log.ts'
import type { Store } from '../../../src/core/ports/store.ts'
import { messages, sentStatuses, type Message } from '../../../src/collections/messages.ts'
import { gateway, type Gateway, type GatewayOptions } from '../../../src/gateway/gateway.ts'
import { readMessage } from '../../../src/gateway/messages/stored-message.ts'
import { seededRandom } from '../../support/seeded-random.ts'
import { settle, virtualClock, type VirtualClock } from '../../support/virtual-clock.ts'
import { fixedCarriers } from './fixed-carriers.ts'
import { requests, type Requests } from './requests.ts'
import { awaitingStore } from '../../support/awaiting-store.ts'
import { openStore, type StoreKind } from './stores.ts'

/** A store, a clock that stands still, and what a client can do to messages. */
export interface World extends Requests, AsyncDisposable {
  readonly store: Store
  readonly clock: VirtualClock
  readonly newId: NewId
  /** What was logged as a warning or worse. */
  readonly logged: string[]
  message(id: string, account?: AccountId): Promise<Message | null>
  /** Every received message of an account, oldest first. */
  received(account?: AccountId): Promise<readonly Message[]>
  /** All notifications of an account, in order. */
  notifications(account?: AccountId): Promise<readonly LogEntry[]>
  /** The statuses that were notified of a message, in order. */
  told(id: string): Promise<readonly string[]>
  /** Lets things take their course, without time passing, until a message was told to have this status. */
  comesTo(id: string, status: string): Promise<void>
  /** Starts a gateway over the store. */
  start(carriers: readonly Carrier[], options?: Partial<GatewayOptions>): Promise<Gateway>
  /** Lets things take their course, without time passing, until this holds. */
  until(what: string, holds: () => boolean | Promise<boolean>): Promise<void>
}

/** Opens a world of its own. */
export async function openWorld(kind: StoreKind = 'memory', seed = 1): Promise<World> {
  const clock = virtualClock()
  const random = seededRandom(seed)
  const newId = typeIds(clock, random)
  const store = awaitingStore(await openStore(kind))
  const logged: string[] = []
  const gateways: Gateway[] = []

  const list = (account: AccountId, type: string): Promise<readonly Message[]> =>
    store.read(account, async (reader) => {
      const query = {
        conditions: [{ path: ['type'], operator: 'eq', values: [type] }],
        searchTerms: [],
        sort: [{ path: ['id'], direction: 'asc' }],
        start: { offset: 0 },
        limit: 10_000,
      } as const
      return (await reader.list(messages, null, query)).map((stored) => readMessage(stored).message)
    })

  const notifications = (account: AccountId): Promise<readonly LogEntry[]> =>
    store.log.read(account, null, { types: ['SENT', 'RECEIVED'], statuses: sentStatuses }, 100_000)

  const told: World['told'] = async (id) =>
    (await notifications(defaultAccount))
      .filter(({ messageId }) => messageId === id)
      .map(({ record }) => (JSON.parse(record) as Message).status.id)

  const until: World['until'] = async (what, holds) => {
    for (let round = 0; round < 500; round += 1) {
      if (await holds()) return
      await (kind === 'postgres' ? moment() : settle(1))
    }
    throw new Error(`it never came to this: ${what}`)
  }

  return {
    ...requests({ store, clock, newId }),
    store,
    clock,
    newId,
    logged,
    message: (id, account = defaultAccount) =>
      store.read(account, async (reader) => {
        const stored = await reader.find(messages, { id })
        return stored && readMessage(stored).message
      }),
    received: (account = defaultAccount) => list(account, 'RECEIVED'),
    notifications: (account = defaultAccount) => notifications(account),
    told,
    until,
    comesTo: (id, status) =>
      until(`${id} is ${status}`, async () => (await told(id)).includes(status)),
    async start(carriers, options = {}) {
      const log: GatewayOptions['log'] = (level, event) => void logged.push(`${level} ${event}`)
      const made = gateway({
        store,
        carriers: fixedCarriers(store, carriers),
        clock,
        random,
        newId,
        log,
        ...options,
      })
      gateways.push(made)
      await made.start()
      return made
    },
    async [Symbol.asyncDispose]() {
      const stopped = Promise.all(gateways.map((made) => made[Symbol.asyncDispose]()))
      // A carrier that holds on to a message is given up after a while.
      await clock.advance(60_000)
      await stopped
      await store[Symbol.asyncDispose]()
    },
  }
}

/** A server takes real time. */
function moment(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 5))
}

/** A request for a message that the simulator delivers. */
export function aMessage(fields: JsonObject = {}): JsonObject {
  return { to: '+4915112345678', body: 'hello', ...fields }
}
