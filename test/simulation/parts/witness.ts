import type { AccountId } from '../../../src/core/account.ts'
import { qualifiedName, mayFollow } from '../../../src/core/declaration/collection.ts'
import type { Consumer } from '../../../src/core/ports/consumers.ts'
import {
  broadcastStates,
  type Broadcast,
  type BroadcastState,
} from '../../../src/collections/broadcasts.ts'
import type { NewNotification } from '../../../src/core/ports/notification-log.ts'
import type { Store, Stored, Transaction, Writer } from '../../../src/core/ports/store.ts'
import {
  messageStates,
  sentStatuses,
  type Message,
  type StatusType,
} from '../../../src/collections/messages.ts'
import { readMessage } from '../../../src/gateway/messages/stored-message.ts'
import { PassedOn } from './passed-on.ts'
import { Replay } from './replay.ts'

/** What a transaction did, noted while it ran: it counts when it is committed. */
export interface Deeds {
  readonly saved: Stored[]
  readonly removed: string[]
  readonly notified: (NewNotification & { readonly account: AccountId })[]
  readonly claimed: string[]
  /** Replays that were saved. */
  readonly replays: Stored[]
  /** By webhook, up to where it was done when it was given something else to do. */
  readonly ends: Map<string, number>
  /** By the identifier of a batch that is sent again, its replay. */
  readonly again: Map<string, string>
  /** What broadcasts noted: a message for an address. */
  readonly made: MadeFor[]
  readonly broadcasts: Pick<Broadcast, 'id' | 'state'>[]
}

/** A broadcast has made a message for an address. */
export interface MadeFor {
  readonly broadcast: string
  readonly to: string
  readonly id: string
}

/** Sees every commit, whoever made it, and knows what must be true of each. */
export interface Witness {
  /** Every notification of an account that was ever committed, in order. */
  entriesOf(account: AccountId): readonly Entry[]
  /** Messages as they were last committed. */
  readonly messages: ReadonlyMap<string, Message>
  /** Messages that were claimed for their carrier at least once. */
  readonly claimed: ReadonlySet<string>
  /** All that was asked to be sent again. */
  readonly replays: ReadonlyMap<string, Replay>
  /** The replay that a batch was planned for, where it is written down. */
  replayOf(batchId: string): Replay | undefined
  /** By broadcast and address, the messages that were made. */
  readonly made: ReadonlyMap<string, ReadonlyMap<string, string>>
  /** Broadcasts with their states. */
  readonly broadcasts: ReadonlyMap<string, BroadcastState>
  /** The place of a notification of an account by its text; undefined where none was committed. */
  placeOf(account: AccountId, record: string): number | undefined
  /** Notes what is done in a transaction. */
  watch(transaction: Transaction, deeds: Deeds): Transaction
  committed(deeds: Deeds): void
  /** Looks what retention has left of the log. */
  trimmed(): Promise<void>
}

/** A notification in its place in the log of its account, counted from 0. */
export interface Entry extends NewNotification {
  readonly place: number
  /** Retention has not removed it. */
  isKept: boolean
}

const everything = { types: ['SENT', 'RECEIVED'], statuses: sentStatuses }

type HistoryEntry = Message['history'][number]

/** The entry of a history that is no status. */
const mark = 'ACCEPTED.RESUBMITTED'

/** Nothing done yet. */
export function noDeeds(): Deeds {
  return {
    saved: [],
    removed: [],
    notified: [],
    claimed: [],
    replays: [],
    ends: new Map(),
    again: new Map(),
    made: [],
    broadcasts: [],
  }
}

/** Watches over a store; `complain` is told what must never be. */
export function witness(base: Store, complain: (what: string) => void): Witness {
  const logs = new Map<AccountId, Entry[]>()
  const places = new Map<AccountId, Map<string, number>>()
  const messages = new Map<string, Message>()
  const claimed = new Set<string>()
  const replays = new Map<string, Replay>()
  const again = new Map<string, string>()
  const made = new Map<string, Map<string, string>>()

  const broadcasts = new Map<string, BroadcastState>()

  const checkReplay = (stored: Stored, ends: ReadonlyMap<string, number>): void => {
    const { id, parent, account } = stored
    const known = replays.get(id)
    const wrong = known?.became(stored) ?? null
    if (wrong !== null) complain(`${id} ${wrong}`)
    if (known === undefined) {
      replays.set(id, new Replay(stored, ends.get(parent ?? '') ?? 0, entriesOf(account)))
    }
  }
  const checkMade = ({ broadcast, to, id }: MadeFor): void => {
    const known = made.get(broadcast) ?? new Map<string, string>()
    made.set(broadcast, known)
    const other = known.get(to)
    if (other !== undefined) complain(`${broadcast} made ${other} and ${id} for ${to}`)
    known.set(to, id)
  }

  /** A message only moves forward, and each of its steps is told in the commit that it is of. */
  const checkMessage = (after: Message, told: readonly string[]): void => {
    const { id } = after
    const known = messages.get(id)
    const before = known?.submission.id === after.submission.id ? known : undefined
    const past = before?.history ?? []
    if (!past.every((entry, index) => isSame(entry, after.history[index]))) {
      complain(`the history of ${id} was rewritten`)
    }
    const steps = after.history.slice(past.length).map(({ status }) => status)
    const statuses = steps.filter((status) => status !== mark)
    if (statuses.join() !== told.join()) {
      complain(`${id} took [${statuses.join()}] and [${told.join()}] was notified with it`)
    }
    let from = before?.status.type
    for (const status of statuses) {
      const to = status.split('.')[0] as StatusType
      if (from !== undefined && !mayFollow(messageStates, from, to)) {
        complain(`${id} went from ${from} to ${to}`)
      }
      from = to
    }
    if (from !== after.status.type) complain(`${id} is ${after.status.type} after ${from}`)
    messages.set(id, after)
  }

  const entriesOf = (account: AccountId): Entry[] => {
    const log = logs.get(account) ?? []
    logs.set(account, log)
    return log
  }
  const append = ({ account, ...notification }: Deeds['notified'][number]): void => {
    const log = entriesOf(account)
    const known = places.get(account) ?? new Map<string, number>()
    places.set(account, known.set(notification.record, log.length))
    log.push({ ...notification, place: log.length, isKept: true })
  }

  return {
    entriesOf,
    messages,
    claimed,
    replays,
    replayOf: (batchId) => replays.get(again.get(batchId) ?? ''),
    made,
    broadcasts,
    placeOf: (account, record) => places.get(account)?.get(record),
    watch: (transaction, deeds) => watched(transaction, deeds),
    committed: ({ saved, removed, notified, claimed: now, ...deeds }) => {
      const last = new Map(saved.map((stored) => [stored.id, stored]))
      for (const { messageId, type } of notified) {
        if (everything.types.includes(type) && !last.has(messageId))
          complain(`${messageId} was notified without its change`)
      }
      for (const stored of last.values()) {
        const told = notified.filter(({ messageId }) => messageId === stored.id)
        checkMessage(
          readMessage(stored).message,
          told.map(({ record }) => (JSON.parse(record) as Message).status.id),
        )
      }
      for (const id of removed) messages.delete(id)
      for (const id of now) claimed.add(id)
      for (const notification of notified) append(notification)
      for (const stored of deeds.replays) checkReplay(stored, deeds.ends)
      for (const [batchId, id] of deeds.again) again.set(batchId, id)
      for (const each of deeds.made) checkMade(each)
      for (const { id, state } of deeds.broadcasts) {
        const before = broadcasts.get(id) ?? state
        if (before !== state && !mayFollow(broadcastStates, before, state)) {
          complain(`${id} went from ${before} to ${state}`)
        }
        broadcasts.set(id, state)
      }
    },
    trimmed: async () => {
      for (const [account, log] of logs) {
        const found = await base.log.read(account, null, everything, Infinity)
        const left = new Set(found.map(({ record }) => record))
        for (const entry of log) entry.isKept = left.has(entry.record)
      }
    },
  }
}

function isSame(entry: HistoryEntry, other: HistoryEntry | undefined): boolean {
  return JSON.stringify(entry) === JSON.stringify(other)
}

function watched(transaction: Transaction, deeds: Deeds): Transaction {
  return new PassedOn(transaction, {
    in: (writer) => watchedWriter(writer, deeds),
    submissions: (submissions) => ({
      ...submissions,
      claim: async (...asked) => {
        const found = await submissions.claim(...asked)
        deeds.claimed.push(...found.map(({ messageId }) => messageId))
        return found
      },
    }),
    consumers: (consumers) => ({
      ...consumers,
      advance: (consumer) => {
        noteReplays(consumer.progress, deeds)
        return consumers.advance(consumer)
      },
      put: async (account, webhookId, progress) => {
        const before = await transaction.everywhere.findConsumer(account, webhookId)
        if (before !== null) deeds.ends.set(webhookId, endOf(before))
        await consumers.put(account, webhookId, progress)
      },
    }),
  })
}

/** How a progress is written down, as far as it has to do with replays. */
interface Written {
  readonly from: string | null
  readonly replays: readonly {
    readonly id: string
    readonly flow: { readonly batch?: { readonly id: string } | null }
  }[]
}

function noteSaved(name: string, stored: Stored, deeds: Deeds): void {
  if (name === 'messages') deeds.saved.push(stored)
  if (name === 'webhooks/replays') deeds.replays.push(stored)
  if (name === 'broadcasts') deeds.broadcasts.push(JSON.parse(stored.doc) as Broadcast)
  if (name !== 'broadcasts/messages') return
  const { to } = JSON.parse(stored.doc) as { readonly to: string }
  deeds.made.push({ broadcast: stored.parent ?? '', to, id: stored.id })
}

/** What is sent again is written down before. */
function noteReplays(progress: string, { again }: Deeds): void {
  if (!progress.includes('"replays":[{')) return
  const { replays } = JSON.parse(progress) as Written
  for (const { id, flow } of replays) if (flow.batch) again.set(flow.batch.id, id)
}

/** How many entries a webhook is done with. */
function endOf({ position, progress }: Consumer): number {
  return Number((JSON.parse(progress) as Partial<Written>).from ?? position)
}

function watchedWriter(writer: Writer, deeds: Deeds): Writer {
  return {
    ...writer,
    save: async (collection, key, instance, hidden) => {
      const stored = await writer.save(collection, key, instance, hidden)
      noteSaved(qualifiedName(collection), stored, deeds)
      return stored
    },
    remove: async (collection, key) => {
      if (qualifiedName(collection) === 'messages') deeds.removed.push(key.id)
      return writer.remove(collection, key)
    },
    notify: async (notification) => {
      await writer.notify(notification)
      deeds.notified.push({ ...notification, account: writer.account })
    },
  }
}
