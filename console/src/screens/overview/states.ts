import { queryOptions } from '@tanstack/react-query'
import { client } from '../../api/client.ts'

/** How often the states are read while they are shown. */
const pollMs = 5000
/** More than an installation shows at a glance. */
const shownMax = 200

/** Reads all carriers with their states. */
export const carrierStatesQuery = queryOptions({
  queryKey: ['overview', 'carriers'],
  queryFn: ({ signal }) => client.carriers.list({ pageSize: shownMax }, { signal }),
  refetchInterval: pollMs,
})

/** Reads all webhooks with their states. */
export const webhookStatesQuery = queryOptions({
  queryKey: ['overview', 'webhooks'],
  queryFn: ({ signal }) => client.webhooks.list({ pageSize: shownMax }, { signal }),
  refetchInterval: pollMs,
})
