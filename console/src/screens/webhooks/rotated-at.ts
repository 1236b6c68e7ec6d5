import { queryOptions } from '@tanstack/react-query'
import { client } from '../../api/client.ts'
import { overlapMs } from './overlap-end.ts'

/** Changes of one webhook in a day that are examined. */
const changesMax = 200

/** Reads when the secret of a webhook changed last, as the audit knows it; null if it did not. */
export function rotatedAtQuery(account: string, id: string) {
  return queryOptions({
    queryKey: ['secret-rotated-at', account, id],
    queryFn: async ({ signal }): Promise<string | null> => {
      const resource = `/v1/webhooks/${encodeURIComponent(id)}`
      const since = new Date(Date.now() - overlapMs).toISOString()
      const { items } = await client.auditEvents.list(
        { where: { resource, date: { gte: since }, account }, pageSize: changesMax },
        { signal },
      )
      // The newest first. A created webhook has no older secret.
      const change = items.find(
        ({ action, fields }) => action !== 'CREATED' && fields.includes('secret'),
      )
      return change?.date ?? null
    },
    staleTime: Infinity,
  })
}
