import { queryOptions } from '@tanstack/react-query'
import { client } from '../../api/client.ts'

/** How often the opt-outs of an address are read while they are shown. */
const pollMs = 10_000

/** Reads the opt-outs of an address, of all senders. */
export function optOutsQuery(address: string) {
  return queryOptions({
    queryKey: ['opt-outs-of', address],
    queryFn: ({ signal }) => client.optOuts.list({ where: { address }, pageSize: 100 }, { signal }),
    refetchInterval: pollMs,
  })
}
