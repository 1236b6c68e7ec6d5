import type { Broadcast } from '../../../src/collections/broadcasts.ts'
import { contacts } from '../../../src/collections/contacts.ts'
import { groupContacts, groups } from '../../../src/collections/groups.ts'
import { defaultAccount } from '../../../src/core/account.ts'
import type { Store } from '../../../src/core/ports/store.ts'
import { timestamp } from '../../../src/core/timestamp.ts'
import type { Requests } from './requests.ts'
import { pass, type World } from './world.ts'

/** A client that sends one text to many, and knows what must become of that. */
export interface Broadcaster {
  begin(): Promise<void>
  /** Whether some are not at their end. */
  isWaiting(): boolean
  /** Asks how they went, and complains of what does not add up. */
  check(): Promise<void>
}

/** What was asked for. */
interface Wanted {
  readonly addresses: readonly string[]
  readonly contacts: readonly string[]
  readonly group: string | null
}

/** How many messages a broadcast had made when its client was told that it is cancelled. */
type Cancelled = Map<string, number>

const phone = '+4915112345678'
const book: ReadonlyMap<string, string> = new Map(
  ['1', '2', '3', '4'].map((name) => [`c${name}`, `+491510000000${name}`]),
)
const members = ['c3', 'c4']
const ended: readonly string[] = ['DONE', 'CANCELLED']

/** Puts the contacts and the group on the disk that broadcasts go to. */
export async function seedRecipients(disk: Store, now: number): Promise<void> {
  const at = { createdAt: timestamp(now), updatedAt: timestamp(now) }
  await disk.transact(async (transaction) => {
    const writer = transaction.in(defaultAccount)
    for (const [id, address] of book) {
      const contact = { id, name: null, address, tags: [], attributes: {}, ...at }
      await writer.save(contacts, { id }, contact, null)
    }
    await writer.save(groups, { id: 'g1' }, { id: 'g1', name: 'friends', ...at }, null)
    for (const id of members) {
      await writer.save(groupContacts, { id, parent: 'g1' }, { id, contact: id, ...at }, null)
    }
  })
}

/** Makes it. Its recipients are few and in three lists: each of these is a slice of its own. */
export function broadcaster(world: World, { ask, expect }: Requests): Broadcaster {
  const { dice, witness, complain } = world
  const accepted = new Map<string, Wanted>()
  const cancelled: Cancelled = new Map()
  let names = 0

  const draw = (from: readonly string[], count: number): readonly string[] =>
    Array.from({ length: count }, () => dice.pick(from) ?? '')

  const wish = (): Wanted => ({
    addresses: draw([phone, '+4915100000009', ...book.values()], 1 + dice.below(3)),
    contacts: draw([...book.keys()], dice.below(3)),
    group: dice.fraction() < 0.6 ? 'g1' : null,
  })

  const cancel = async (id: string): Promise<void> => {
    await pass(world, dice.fraction() * 1000)
    const body = { state: 'CANCELLED' }
    const request = { method: 'PATCH', target: `/v1/broadcasts/${id}`, body }
    const answer = await ask(request)
    expect(request, answer, 200, 409)
    if (answer.status === 200) cancelled.set(id, witness.made.get(id)?.size ?? 0)
  }

  const checkOne = async (id: string, wanted: Wanted): Promise<void> => {
    const request = { method: 'GET', target: `/v1/broadcasts/${id}` }
    const answer = await ask(request)
    if (!expect(request, answer, 200)) return
    const made = witness.made.get(id) ?? new Map<string, string>()
    for (const fault of faultsOf(JSON.parse(answer.text), wanted, made, witness.messages)) {
      complain(`${id} ${fault}`)
    }
    const before = cancelled.get(id)
    if (before !== undefined && made.size > before) complain(`${id} went on after it was cancelled`)
  }

  return {
    begin: async () => {
      const id = `b-${(names += 1)}`
      const to = wish()
      const body = { from: '+27000000001', to, body: `news ${names}` }
      const request = { method: 'PUT', target: `/v1/broadcasts/${id}`, body }
      for (let again = 0; again < 1 || dice.strikes(0.3); again += 1) {
        if (!expect(request, await ask(request), 200)) return
        accepted.set(id, to)
        await pass(world, dice.fraction() * 200)
      }
      if (dice.fraction() < 0.25) await cancel(id)
    },
    isWaiting: () =>
      [...accepted.keys()].some((id) => !ended.includes(witness.broadcasts.get(id) ?? '')),
    check: async () => {
      for (const [id, wanted] of accepted) await checkOne(id, wanted)
    },
  }
}

type Counted = Broadcast & { readonly messageCounts: Readonly<Record<string, number>> }

/** What is wrong with a broadcast in the end. */
function faultsOf(
  { state, recipients, messageCounts }: Counted,
  { addresses, contacts: ids, group }: Wanted,
  made: ReadonlyMap<string, string>,
  messages: World['witness']['messages'],
): readonly string[] {
  const faults: string[] = []
  if (!ended.includes(state)) faults.push(`stays ${state}`)
  const { seen, messages: count, ...skipped } = recipients
  const all = count + sum(Object.values(skipped))
  if (seen !== all) faults.push(`has seen ${seen} recipients and says what became of ${all}`)
  if (count !== made.size) faults.push(`says that it made ${count} messages, and made ${made.size}`)
  if (sum(Object.values(messageCounts)) !== made.size) {
    faults.push(`counts ${JSON.stringify(messageCounts)}, and made ${made.size}`)
  }
  const types = [...made.values()].map((id) => messages.get(id)?.status.type ?? 'GONE')
  for (const [name, counted] of types.includes('GONE') ? [] : Object.entries(messageCounts)) {
    const found = types.filter((type) => type.toLowerCase() === name).length
    if (found !== counted) faults.push(`counts ${counted} as ${name}, and ${found} are`)
  }
  if (state !== 'DONE') return faults
  const listed = addresses.length + ids.length + (group === null ? 0 : members.length)
  if (seen !== listed) faults.push(`has seen ${seen} of ${listed} recipients`)
  const named = [...ids, ...(group === null ? [] : members)].flatMap((id) => book.get(id) ?? [])
  for (const address of new Set([...addresses, ...named])) {
    // Who is at this telephone opts out and in.
    if (address !== phone && !made.has(address)) faults.push(`made no message for ${address}`)
  }
  return faults
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, each) => all + each, 0)
}
