import { infiniteQueryOptions, queryOptions, type QueryClient } from '@tanstack/react-query'
import { client } from '../../api/client.ts'
import { listQuery } from '../../api/queries.ts'
import { withoutAnswered } from './without-answered.ts'

/** Conversations of one request. */
const pageSize = 50

/** A conversation as it is listed. */
export type Conversation = Awaited<ReturnType<typeof client.conversations.list>>['items'][number]

/**
 * The conversations to choose from: all, those in which somebody wrote to the account, or of these the ones
 * whose last message is not answered.
 */
export type Shown = 'all' | 'received' | 'unanswered'

/** Reads the choice of an address. */
export function shownOf(text: string | undefined): Shown {
  return text === 'received' || text === 'unanswered' ? text : 'all'
}

/** Reads the conversations, those with the newest messages first. */
export function conversationsQuery(shown: Shown) {
  return infiniteQueryOptions({
    queryKey: ['list', 'conversations', shown],
    queryFn: ({ pageParam, signal }) => {
      const position = { pageSize, ...(pageParam === null ? {} : { after: pageParam }) }
      if (shown === 'all') return client.conversations.list(position, { signal })
      return shown === 'received' ? received(position, signal) : unanswered(position, signal)
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
  })
}

/** A broadcast makes thousands of conversations; those who wrote are found by what was received. */
async function received(position: { readonly after?: string }, signal: AbortSignal) {
  const { items, next } = await client.messages.list(
    { ...position, where: { 'status.type': 'RECEIVED' }, pageSize },
    { signal },
  )
  const found = items.map((message): Conversation => {
    const { id, from, to, createdAt, updatedAt } = message
    return { id, counterpart: from, address: to, lastMessage: message, createdAt, updatedAt }
  })
  return { items: found.filter(({ counterpart }) => counterpart !== ''), next }
}

/** Of those who wrote, the newest message of the conversation says whether they were answered since. */
async function unanswered(position: { readonly after?: string }, signal: AbortSignal) {
  const { items, next } = await received(position, signal)
  const counterparts = [...new Set(items.map(({ counterpart }) => counterpart))]
  if (counterparts.length === 0) return { items, next }
  const latest = await client.conversations.list(
    { where: { counterpart: counterparts }, pageSize: latestMax },
    { signal },
  )
  return { items: withoutAnswered(items, latest.items), next }
}

/** Conversations with 50 counterparts: one with each of several own addresses. */
const latestMax = 500

/** Returns the parameters of an address for a choice. The usual one is left out. */
export function searchFor(shown: Shown): { readonly shown?: Shown } {
  return shown === 'all' ? {} : { shown }
}

/** Reads the messages from and to a counterpart, the newest first. */
export function chatQuery(counterpart: string) {
  return listQuery(['messages'], { where: { counterpart } })
}

/** Reads the name of a counterpart; null if no contact has its address. */
export function nameQuery(counterpart: string) {
  return queryOptions({
    queryKey: ['contact-name', counterpart],
    queryFn: async ({ signal }) => {
      const where = { address: counterpart }
      const { items } = await client.contacts.list({ where, pageSize: 1 }, { signal })
      return items[0]?.name ?? null
    },
    staleTime: 60_000,
  })
}

/** Reads a conversation, and all that a message of it changes, again. */
export async function refreshConversation(
  queries: QueryClient,
  counterpart: string,
): Promise<void> {
  await Promise.all([
    queries.invalidateQueries({ queryKey: chatQuery(counterpart).queryKey }),
    queries.invalidateQueries({ queryKey: ['list', 'conversations'] }),
  ])
}
