import { changeDeadLetters } from '../../support/change-dead-letters.ts'
import assert from 'node:assert/strict'
import { setTimeout } from 'node:timers/promises'
import { builtIn } from '../../../src/collections/built-in.ts'
import { incomingMessages } from '../../../src/collections/incoming-messages.ts'
import { accountId, defaultAccount } from '../../../src/core/account.ts'
import type { Store } from '../../../src/core/ports/store.ts'
import { timestamp } from '../../../src/core/timestamp.ts'
import { answered, type Post } from '../../../src/delivery/egress/post.ts'
import { postgresStore } from '../../../src/stores/postgres/postgres-store.ts'
import { sqliteStore } from '../../../src/stores/sqlite/sqlite-store.ts'
import { startApi, type TestApi } from '../../support/api.ts'
import { virtualClock, type VirtualClock } from '../../support/virtual-clock.ts'

/** The administrator's key of every service here. */
export const adminKey = 'nuncio_for_the_test_of_moving_from_store_to_store'

/** Texts that some database has got wrong before. */
export const oddTexts = [
  'Grüße, ἀγαπητός, 你好',
  '😀👩‍👩‍👧‍👦 𝒳 \u{10ffff}',
  'é is not \u0065\u0301',
  "it's {a}, \"b\", \\c, 'd', $1, ? and NULL",
  'a\tb\u0001\u007f\u0085\u2028\ufeff\uffff',
  ' '.repeat(3),
]

/** Where a service stands: its clock, and what its webhooks were told. */
export interface Standing extends AsyncDisposable {
  readonly api: TestApi
  /** The identifiers and statuses that each webhook was told, in their order, by its path. */
  readonly told: ReadonlyMap<string, readonly string[]>
  stop(): Promise<void>
}

/** How a service stands. */
interface Stand {
  readonly clock?: VirtualClock
  readonly seed?: number
  /** What a receiver answers, by its path. */
  readonly statusOf?: (path: string) => number
}

const takes = (): number => 204

/** Starts the service over what is in a store. Receivers answer as `statusOf` says, by path. */
export async function startOn(
  location: string,
  { clock = virtualClock(), seed = 7, statusOf = takes }: Stand = {},
): Promise<Standing> {
  const told = new Map<string, string[]>()
  const post: Post = async ({ url, body }) => {
    const status = statusOf(url.pathname)
    const records: { id: string; status: { type: string } }[] = JSON.parse(
      Buffer.from(body).toString(),
    )
    const heard = told.get(url.pathname) ?? []
    told.set(url.pathname, heard)
    if (status < 300) heard.push(...records.map((record) => `${record.id} ${record.status?.type}`))
    return { outcome: answered(status, null), response: '' }
  }
  const store = await openAt(location)
  // No retry is due while a service stops: it would change what the copy is compared with.
  const config = { adminKey, webhookNetworks: ['127.0.0.0/8'], retrySchedule: [12] }
  const ends: (() => Promise<void>)[] = []
  const given = { config, store, post, clock, seed }
  const api = await startApi({ after: (end) => void ends.push(end) }, given)
  const stop = async (): Promise<void> => {
    const stopped = Promise.all(ends.splice(0).map((end) => end()))
    await clock.advance(1000)
    await stopped
  }
  return { api, told, stop, [Symbol.asyncDispose]: stop }
}

/** Opens the store at a place. */
export function openAt(location: string): Promise<Store> {
  const file = /^sqlite:(.*)$/.exec(location)?.[1]
  return file === undefined ? postgresStore(location, builtIn) : sqliteStore(file, builtIn)
}

/** Uses the service so that every table gets rows; kept when nothing moves any more. */
export async function makeTraffic({ api }: Standing, clock: VirtualClock): Promise<void> {
  const key = { headers: { authorization: `Bearer ${adminKey}` } }
  const put = async (path: string, body: unknown): Promise<void> => {
    const { status, text } = await api.put(`/v1/${path}`, body, key)
    assert.ok(status < 300, `${path}: ${text}`)
  }
  const to = '+4915112345678'
  await put('webhooks/takes', { url: 'http://127.0.0.1:9/takes', statuses: ['SENT', 'DELIVERED'] })
  await put('webhooks/refuses', { url: 'http://127.0.0.1:9/refuses', statuses: ['DELIVERED'] })
  await put('webhooks/off', { url: 'http://127.0.0.1:9/off', active: false })
  for (const [index, text] of oddTexts.entries()) {
    await put(`contacts/c${index}`, { name: text, address: `+4915112345${600 + index}` })
    await put(`messages/m${index}`, { to, body: text })
  }
  await put('groups/g', { name: 'g' })
  await api.post('/v1/groups/g/contacts', { id: 'c1' }, key)
  await put('optOuts/o', { address: '+4915112345000' })
  await put('maintenanceWindows/w', { startsAt: '2030-01-01T00:00:00Z', retryAfterSeconds: 86_400 })
  await put('accounts/shop', { name: 'shop', creditBalance: 999_999_999.999999 })
  await api.post('/v1/accounts/shop/creditMovements', { amount: 0.000001 }, key)
  await api.post('/v1/keys', { scopes: ['messages'], account: 'shop' }, key)
  await api.post('/v1/sessions', {}, key)
  await put('messages/later', { to, body: 'later', scheduledAt: '2026-06-01T00:00:00Z' })
  const idempotent = { headers: { ...key.headers, 'idempotency-key': 'once' } }
  await api.post('/v1/messages', { to, body: 'once' }, idempotent)
  await put('numbers/n', { address: '+4915112340000' })
  await put('prices/p', { prefix: '+49', creditsPerPart: 0.000001 })
  await put('broadcasts/planned', {
    to: { group: 'g' },
    body: 'c',
    scheduledAt: '2026-06-01T00:00:00Z',
  })
  await put('broadcasts/b', { to: { addresses: [to, '+4915112345679'] }, body: 'b' })
  await settled(clock, () => isSettled(api))
  // What was told last is written down a little later.
  for (let step = 0; step < 12; step += 1) {
    await clock.advance(100)
    await setTimeout(2)
  }
  const again = { from: '2026-01-01T00:00:00Z' }
  const replay = await api.post('/v1/webhooks/refuses/replays', again, key)
  assert.equal(replay.status, 201, replay.text)
  await beyondTheApi(api.store, clock.now())
}

/** Lets time pass until something holds; a server takes real time, too. */
export async function settled(
  clock: VirtualClock,
  holds: () => boolean | Promise<boolean>,
): Promise<void> {
  for (let step = 0; step < 500; step += 1) {
    if (await holds()) return
    await clock.advance(100)
    await setTimeout(2)
  }
  throw new Error('it never came to this')
}

/** Whether all that is not planned for later is delivered. */
async function isSettled(api: TestApi): Promise<boolean> {
  const { json } = await api.get('/v1/messages', { key: adminKey })
  const open = json.filter(
    (message: { status: { type: string } }) => message.status.type !== 'DELIVERED',
  )
  const isDone = open.length === 1 && json.length > oddTexts.length + 3
  return isDone && (await countedMessages(api)) === json.length - open.length
}

/** How many delivered messages the statistics count. */
async function countedMessages(api: TestApi): Promise<number> {
  const query = 'resolution=HOUR&status=DELIVERED'
  const { json } = await api.get(`/v1/statistics?${query}`, { key: adminKey })
  return json.reduce((sum: number, one: { messages: number }) => sum + one.messages, 0)
}

/** What carriers would leave behind. */
async function beyondTheApi(store: Store, now: number): Promise<void> {
  const account = accountId('shop')
  const entries = await store.log.read(defaultAccount, null, everything, 3)
  await store.transact(async (transaction) => {
    const { receipts } = transaction
    await transaction.in(account).sentFrom('+4915199', now)
    await transaction.in(account).setCounters('b', ['sent'])
    await transaction.in(account).addToCounter('b', 'sent', 2 ** 40)
    const part = { carrier: 'smpp', carrierMessageId: 'x😀', account, messageId: 'm', part: 1 }
    await receipts.expect({ ...part, outcome: null }, now + 1e9)
    for (const at of [1, 2, 3]) {
      const outcome = { type: 'DELIVERED', detail: `early ${at}` } as const
      const receipt = { carrier: 'smpp', carrierMessageId: 'y', outcome, code: `${at}` }
      await receipts.match({ ...receipt, receivedAt: now }, null)
    }
    const incoming = {
      id: 'incoming',
      account,
      carrier: 'smpp',
      from: '+1',
      to: '+2',
      reference: '7',
    }
    const waiting = { total: 2, parts: [], waitsUntil: now + 1e9, expiresAt: null }
    const times = { createdAt: timestamp(now), updatedAt: timestamp(now) }
    const instance = { ...incoming, ...waiting, ...times }
    await transaction.in(account).save(incomingMessages, { id: 'incoming' }, instance, null)
    const aside = entries.map(({ position, at }) => ({ position, at }))
    await changeDeadLetters(transaction, defaultAccount, 'off', { added: aside })
  })
}

const everything = { types: ['SENT'], statuses: ['ACCEPTED', 'SENT', 'DELIVERED'] }
