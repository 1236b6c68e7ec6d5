import { infiniteQueryOptions, queryOptions, type QueryClient } from '@tanstack/react-query'
import { client } from '../../api/client.ts'
import { listQuery } from '../../api/queries.ts'

/** Conversations of one request. */
const pageSize = 50

/** A conversation as it is listed. */
export type Conversation = Awaited<ReturnType<typeof client.conversations.list>>['items'][number]

/** Reads the conversations, those with the newest messages first. */
export const conversationsQuery = infiniteQueryOptions({
  queryKey: ['list', 'conversations'],
  queryFn: ({ pageParam, signal }) =>
    client.conversations.list(
      { pageSize, ...(pageParam === null ? {} : { after: pageParam }) },
      { signal },
    ),
  initialPageParam: null as string | null,
  getNextPageParam: ({ next }) => next,
})

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

/** Reads the opt-outs of a counterpart. */
export function optOutsQuery(counterpart: string) {
  return queryOptions({
    queryKey: ['opt-outs-of', counterpart],
    queryFn: ({ signal }) =>
      client.optOuts.list({ where: { address: counterpart }, pageSize: 100 }, { signal }),
    refetchInterval: 10_000,
  })
}

/** Reads a conversation, and all that a message of it changes, again. */
export async function refreshConversation(
  queries: QueryClient,
  counterpart: string,
): Promise<void> {
  await Promise.all([
    queries.invalidateQueries({ queryKey: chatQuery(counterpart).queryKey }),
    queries.invalidateQueries({ queryKey: conversationsQuery.queryKey }),
  ])
}
