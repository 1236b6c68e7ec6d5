import { hash } from 'node:crypto'
import { conversations, type Conversation } from '../../collections/derived/conversations.ts'
import type { Message } from '../../collections/messages.ts'
import type { Condition, Query } from '../../core/declaration/query.ts'
import type { Stored } from '../../core/ports/store.ts'

/** The two parties of a message. */
interface Parties {
  readonly counterpart: string
  readonly address: string
}

/** Returns the name of a message's conversation; null if the message came without a sender. */
export function keyOf(stored: Stored): string | null {
  const parties = partiesOf(messageOf(stored))
  return parties.counterpart === '' ? null : nameOf(parties)
}

/** A conversation, stored under the identifier of its last message. */
export interface StoredConversation extends Stored {
  readonly counterpart: string
}

/** Returns the conversation of a message as its last one. */
export function conversationOf(stored: Stored): StoredConversation {
  const message = messageOf(stored)
  const parties = partiesOf(message)
  const { id, type, body, encoding, status, createdAt, updatedAt } = message
  const digest = hash('sha256', nameOf(parties), 'base64url').slice(0, 22)
  const instance: Conversation = {
    id: `${conversations.noun}_${digest}`,
    ...parties,
    lastMessage: { id, type, body, encoding, status, createdAt },
    createdAt,
    updatedAt,
  }
  const doc = JSON.stringify(instance)
  return { ...stored, doc, hidden: null, counterpart: parties.counterpart }
}

/** Returns a filter of messages for conditions on conversations. */
export function between(
  conditions: readonly Condition[],
): Pick<Query, 'conditions' | 'alternatives'> {
  const onParties = conditions.filter(({ path }) => path[0] !== 'createdAt')
  const others = conditions.filter(({ path }) => path[0] === 'createdAt')
  if (onParties.length === 0) return { conditions: others }
  const alternative = (counterpart: string, address: string): readonly Condition[] =>
    onParties.map(({ path, ...condition }) => {
      return { ...condition, path: [path[0] === 'counterpart' ? counterpart : address] }
    })
  const sent: Condition = { path: ['type'], operator: 'eq', values: ['SENT'] }
  const received: Condition = { path: ['status', 'type'], operator: 'eq', values: ['RECEIVED'] }
  return {
    conditions: others,
    alternatives: [
      [...alternative('to', 'from'), sent],
      [received, ...alternative('from', 'to')],
    ],
  }
}

function partiesOf({ type, from, to }: Message): Parties {
  return type === 'SENT' ? { counterpart: to, address: from } : { counterpart: from, address: to }
}

function nameOf({ counterpart, address }: Parties): string {
  return JSON.stringify([counterpart, address])
}

function messageOf({ doc }: Stored): Message {
  return JSON.parse(doc)
}
