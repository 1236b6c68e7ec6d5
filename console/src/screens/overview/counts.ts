import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { client } from '../../api/client.ts'
import type { Counted } from './bins.ts'
import { startOf, type Span } from './spans.ts'

/** Rows of one request: the largest page. */
const pageSize = 1000
/** An hour of eight statuses and twenty carriers. */
const pagesMax = 10

/** Reads the counts of a span in an account, or in all that the key may read, again and again while they are shown. */
export function countsQuery(span: Span, account: string | null) {
  return queryOptions({
    queryKey: ['overview', 'counts', span.id, account],
    queryFn: ({ signal }) => readCounts(span, account, signal),
    refetchInterval: span.pollMs,
    placeholderData: keepPreviousData,
  })
}

async function readCounts(
  span: Span,
  account: string | null,
  signal: AbortSignal,
): Promise<readonly Counted[]> {
  const from = new Date(startOf(span, Date.now()) * 1000).toISOString()
  const owner: { readonly account?: string } = account === null ? {} : { account }
  const where = { resolution: span.resolution, date: { gte: from }, ...owner } as const
  const fields = ['date', 'status', 'messages'] as const
  const counts: Counted[] = []
  let after: string | null = null
  for (let page = 0; page < pagesMax; page += 1) {
    const position: { readonly after?: string } = after === null ? {} : { after }
    const { items, next } = await client.statistics.list(
      { where, fields, pageSize, ...position },
      { signal },
    )
    counts.push(...items)
    after = next
    if (after === null) break
  }
  return counts
}
