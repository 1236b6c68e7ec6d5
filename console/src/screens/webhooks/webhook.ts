import type { Webhook } from '@nuncio/client'
import { queryOptions } from '@tanstack/react-query'
import { client } from '../../api/client.ts'

/** How often the state of a webhook is read while it is shown. */
const pollMs = 3000

/** Reads a webhook again and again: its state and its lag are live. */
export function webhookQuery(id: string) {
  return queryOptions({
    queryKey: ['instance', 'webhooks', id],
    queryFn: ({ signal }): Promise<Webhook> => client.webhooks.get(id, { signal }),
    structuralSharing: false,
    refetchInterval: pollMs,
  })
}

/** Reads the last attempts of a webhook, again and again. */
export function attemptsQuery(webhook: string) {
  return queryOptions({
    queryKey: ['page', 'webhooks/deliveries', webhook],
    queryFn: ({ signal }) =>
      client.webhooks.at(webhook).deliveries.list({ sort: 'date_desc', pageSize: 10 }, { signal }),
    refetchInterval: pollMs,
  })
}

/** Reads the last replays of a webhook, again and again. */
export function replaysQuery(webhook: string) {
  return queryOptions({
    queryKey: ['page', 'webhooks/replays', webhook],
    queryFn: ({ signal }) =>
      client.webhooks.at(webhook).replays.list({ sort: 'createdAt_desc', pageSize: 5 }, { signal }),
    refetchInterval: pollMs,
  })
}
