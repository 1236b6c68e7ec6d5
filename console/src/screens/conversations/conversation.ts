import { infiniteQueryOptions, queryOptions, type QueryClient } from '@tanstack/react-query'
import { client } from '../../api/client.ts'
import { listQuery } from '../../api/queries.ts'

/** Conversations of one request. */
const pageSize = 50

/** A conversation as it is listed. */
export type Conversation = Awaited<ReturnType<typeof client.conversations.list>>['items'][number]

/** The conversations to choose from: all, or those in which somebody wrote to the account. */
export type Shown = 'all' | 'received'

/** Reads the conversations, those with the newest messages first. */
export function conversationsQuery(shown: Shown) {
  return infiniteQueryOptions({
    queryKey: ['list', 'conversations', shown],
    queryFn: ({ pageParam, signal }) => {
      const position = { pageSize, ...(pageParam === null ? {} : { after: pageParam }) }
      return shown === 'all'
        ? client.conversations.list(position, { signal })
        : received(position, signal)
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

/** Returns the parameters of an address for a choice. The usual one is left out. */
export function searchFor(shown: Shown): { readonly shown?: Shown } {
  return shown === 'all' ? {} : { shown }
}

/** Returns each conversation once, with its newest message. */
export function distinct(conversations: readonly Conversation[]): readonly Conversation[] {
  const byParties = Map.groupBy(
    conversations,
    ({ counterpart, address }) => `${counterpart} ${address}`,
  )
  return [...byParties.values()].flatMap(([newest]) => newest ?? [])
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
