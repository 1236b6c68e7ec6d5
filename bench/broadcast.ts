import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { contacts } from '../src/collections/contacts.ts'
import { groupContacts, groups } from '../src/collections/groups.ts'
import { defaultAccount } from '../src/core/account.ts'
import { standardOffer } from '../src/wiring/wire.ts'
import { sqliteStore } from '../src/stores/sqlite/sqlite-store.ts'
import { figure, spread } from './figures.ts'
import { cpuMicros, memoryOf } from './processes.ts'
import { aContact, idOf } from './rows.ts'
import { headers, startService } from './subjects/nuncio.ts'

/**
 * `npm run bench:broadcast [recipients]`: how long a broadcast to a group of so many contacts takes,
 * until all its messages are made and until all are delivered, and what other messages see of it.
 */
const recipients = Number(process.argv[2] ?? 100_000)
const folder = mkdtempSync(join(tmpdir(), 'nuncio-broadcast-'))
await fill()

const service = await startService(`sqlite:${join(folder, 'nuncio.db')}`, folder)
const single = JSON.stringify({ to: '+4915100000000', body: 'Your code is 123456.' })
const before = await others(() => Promise.resolve(false), 40)

const use = cpuMs()
const began = performance.now()
const { id } = await send('POST', '/broadcasts', {
  to: { group: 'everyone' },
  body: 'Dear {{name|customer}}, our shop opens today at 10:00.',
})
say(`answered after ${figure(performance.now() - began)} ms`)
let made = 0
const during = await others(async () => {
  const { state, messageCounts: counts } = await send('GET', `/broadcasts/${id}`)
  if (state === 'DONE' && made === 0) made = performance.now() - began
  return counts.accepted + counts.sent > 0 || state !== 'DONE'
}, Infinity)
const whole = performance.now() - began
const used = cpuMs() - use

const { recipients: seen, messageCounts } = await send('GET', `/broadcasts/${id}`)
const reads: number[] = []
for (let run = 0; run < 50; run += 1)
  reads.push(await timed(() => send('GET', `/broadcasts/${id}`)))
const [count, delivered] = [figure(seen.messages), figure(messageCounts.delivered)]
say(`${count} messages made in ${seconds(made)}: ${perSecond(made)}/s`)
say(`${delivered} delivered after ${seconds(whole)}: ${perSecond(whole)}/s`)
say(`of a core ${seconds(used)}, memory ${figure(memoryOf(service.pid)?.most ?? 0)} MB`)
say(`the broadcast is read in ${figure(spread(reads).median)} ms`)
say(`other messages before: ${inWords(before)}`)
say(`other messages meanwhile: ${inWords(during)}`)
await service[Symbol.asyncDispose]()
rmSync(folder, { recursive: true })

/** Milliseconds of a core that the service has taken so far. */
function cpuMs(): number {
  return (cpuMicros(service.pid) ?? 0) / 1000
}

/** How long a message of its own takes to be accepted, and to be delivered. */
interface Times {
  readonly accepted: number[]
  readonly delivered: number[]
}

/** Sends one message after the other, for as long as this holds, and follows each to its end. */
async function others(goesOn: () => Promise<boolean>, least: number): Promise<Times> {
  const times: Times = { accepted: [], delivered: [] }
  const most = Number.isFinite(least) ? least : 0
  while (times.accepted.length < most || (await goesOn())) {
    const at = performance.now()
    const message = await send('POST', '/messages', single)
    times.accepted.push(performance.now() - at)
    while (!(await isDelivered(message.id))) await rest(5)
    times.delivered.push(performance.now() - at)
    await rest(20)
  }
  return times
}

async function isDelivered(message: string): Promise<boolean> {
  const { status } = await send('GET', `/messages/${message}`)
  return status.type === 'DELIVERED'
}

async function send(method: string, path: string, body?: unknown) {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const answer = await fetch(service.base + path, {
    method,
    headers,
    ...(body === undefined ? {} : { body: text }),
  })
  const json = await answer.json()
  if (!answer.ok) throw new Error(`${method} ${path}: ${JSON.stringify(json)}`)
  return json as ReturnType<typeof JSON.parse>
}

/** Puts the group into the store before the service opens it. */
async function fill(): Promise<void> {
  const store = await sqliteStore(join(folder, 'nuncio.db'), standardOffer.collections)
  const date = '2026-01-01T00:00:00.000Z'
  const dates = { createdAt: date, updatedAt: date }
  const group = { id: 'everyone', name: 'Everyone', ...dates }
  await store.transact((tx) => tx.in(defaultAccount).save(groups, { id: group.id }, group, null))
  for (let from = 0; from < recipients; from += 1000) {
    await store.transact(async (tx) => {
      const writer = tx.in(defaultAccount)
      for (let index = from; index < Math.min(from + 1000, recipients); index += 1) {
        const id = idOf(index)
        const entry = { id, contact: id, ...dates }
        await writer.save(contacts, { id }, aContact(index), null)
        await writer.save(groupContacts, { id, parent: group.id }, entry, null)
      }
    })
  }
  await store[Symbol.asyncDispose]()
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const at = performance.now()
  await work()
  return performance.now() - at
}

function rest(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

function inWords({ accepted, delivered }: Times): string {
  const [taken, ended] = [spread(accepted), spread(delivered)]
  return (
    `${accepted.length} sent, accepted in ${figure(taken.median)} ms (at most ${figure(taken.high)}), ` +
    `delivered after ${figure(ended.median)} ms (at most ${figure(ended.high)})`
  )
}

function perSecond(ms: number): string {
  return figure((recipients * 1000) / ms)
}

function seconds(ms: number): string {
  return `${figure(ms / 1000)} s`
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
