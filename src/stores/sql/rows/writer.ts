import type { AccountId } from '../../../core/account.ts'
import type { Instant } from '../../../core/ports/clock.ts'
import type { CounterBounds } from '../../../core/ports/counters.ts'
import { type Collection, qualifiedName } from '../../../core/declaration/collection.ts'
import type { JsonObject } from '../../../core/json.ts'
import type { NewNotification } from '../../../core/ports/notification-log.ts'
import type { Query } from '../../../core/declaration/query.ts'
import type {
  RowFilter,
  InstanceKey,
  NewInstance,
  Reader,
  Stored,
  UniqueValue,
  Writer,
} from '../../../core/ports/store.ts'
import { defaultQueueKey, type QueueKey } from '../../../core/ports/submissions.ts'
import { addSubmission } from '../../commit.ts'
import { insertRows } from '../fragment.ts'
import { removeBelongings } from './belongings.ts'
import {
  findInstance,
  insertedOf,
  removeInstance,
  saveInstance,
  seizeInstance,
  writtenOf,
} from './instances.ts'
import { nameOf } from './row.ts'
import { sqlReader } from './reader.ts'
import { rememberSender } from '../queues/senders.ts'
import { dequeue, enqueue } from '../queues/submissions.ts'
import { addWithin, findCountersIn, setCounters } from '../queues/counters.ts'
import type { Work } from '../work.ts'

/**
 * Reads and writes of one account within a transaction. Nearly every transaction creates one; a class
 * avoids new closures each time.
 */
export class SqlWriter implements Writer {
  readonly account: AccountId
  readonly #work: Work
  #reader: Reader | null = null

  constructor(work: Work, account: AccountId) {
    this.account = account
    this.#work = work
  }

  find(collection: Collection, key: InstanceKey | UniqueValue) {
    if ('field' in key) return this.#reads().find(collection, key)
    return findInstance(this.#work, this.#at(collection, key))
  }

  save(collection: Collection, key: InstanceKey, instance: JsonObject, hidden: JsonObject | null) {
    return saveInstance(this.#work, this.#at(collection, key), instance, hidden)
  }

  add(collection: Collection, parent: string | null, added: readonly NewInstance[]) {
    return addInstances(this.#work, this.account, collection, parent, added)
  }

  lock(collection: Collection, key: InstanceKey | null) {
    if (key !== null) return seizeInstance(this.#work, this.#at(collection, key))
    return this.#work.connection.lockName(['collection', this.account, qualifiedName(collection)])
  }

  async remove(collection: Collection, key: InstanceKey) {
    await removeBelongings(this.#work, this.account, collection, key.id)
    return removeInstance(this.#work, this.#at(collection, key))
  }

  async list(
    collection: Collection,
    parent: string | null,
    query: Query & RowFilter,
  ): Promise<readonly Stored[]> {
    const found = await this.#reads().list(collection, parent, query)
    for (const stored of found) {
      this.#work.listed?.set(nameOf(this.#at(collection, stored)), stored.revision)
    }
    return found
  }

  count(collection: Collection, parent: string | null, filter: RowFilter) {
    return this.#reads().count(collection, parent, filter)
  }

  findConsumer(account: AccountId, webhookId: string) {
    return this.#reads().findConsumer(account, webhookId)
  }

  findCounters(account: AccountId, subjects: readonly string[]) {
    return findCountersIn(this.#work, account, subjects)
  }

  async enqueue(
    messageId: string,
    dueAt: Instant,
    place = defaultQueueKey,
    lateAt: Instant | null = null,
  ) {
    await enqueue(this.#work.connection, this.account, messageId, dueAt, place, lateAt)
    addSubmission(this.#work.effects, dueAt)
  }

  dequeue(messageId: string): Promise<QueueKey | null> {
    return dequeue(this.#work.connection, this.account, messageId)
  }

  async notify(notification: NewNotification): Promise<void> {
    this.#work.effects.notified.add(this.account)
    this.#work.late.notify(this.account, notification)
  }

  setCounters(subject: string, names: readonly string[]) {
    return setCounters(this.#work, this.account, subject, names)
  }

  async addToCounter(subject: string, name: string, by: number, bounds?: CounterBounds) {
    const change = { account: this.account, subject, name, by }
    if (bounds !== undefined) return addWithin(this.#work, change, bounds)
    this.#work.late.count(change)
    return null
  }

  sentFrom(address: string, at: Instant) {
    return rememberSender(this.#work, this.account, address, at)
  }

  usage(...asked: Parameters<Reader['usage']>) {
    return this.#reads().usage(...asked)
  }

  sendersFrom(...asked: Parameters<Reader['sendersFrom']>) {
    return this.#reads().sendersFrom(...asked)
  }

  #reads(): Reader {
    return (this.#reader ??= sqlReader(this.#work, this.account))
  }

  #at(collection: Collection, key: InstanceKey) {
    return { table: this.#work.catalogue.of(collection), account: this.account, key }
  }
}

/**
 * Adds instances of a collection that passes, many by one statement. The transaction does not remember them:
 * nothing changes them.
 */
async function addInstances(
  { connection, catalogue, dialect, effects }: Work,
  account: AccountId,
  collection: Collection,
  parent: string | null,
  added: readonly NewInstance[],
): Promise<void> {
  if (added.length === 0) return
  const table = catalogue.of(collection)
  const rows = added.map((instance) => {
    const key = { parent, id: instance.id }
    return insertedOf({ table, account, key }, writtenOf(table, instance, null))
  })
  const { insert, insertMany } = table.statements
  const inserts = { one: insert, many: dialect.gathers ? null : insertMany }
  await insertRows(connection, inserts, rows)
  effects.changed.add(table.qualifiedName)
}
