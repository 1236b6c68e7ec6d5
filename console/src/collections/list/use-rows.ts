import { useInfiniteQuery } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import type { Instance, ListRequest } from '../../api/client.ts'
import { listQuery, pageRows } from '../../api/queries.ts'

/** The rows that were read so far, and how to read further ones. */
export interface Rows {
  readonly rows: readonly Instance[]
  readonly error: unknown
  readonly isPending: boolean
  readonly isReading: boolean
  readonly hasMore: boolean
  /** The last page ended early because its time was used up, not because nothing follows. */
  readonly isPartial: boolean
  readonly readMore: () => void
  /** Reads the next page, unless the last one was partial: then the user decides. */
  readonly readOn: () => void
  readonly retry: () => void
}

/** Reads the rows of a list page by page. */
export function useRows(path: readonly string[], request: ListRequest, pollMs?: number): Rows {
  const query = useInfiniteQuery(listQuery(path, request, pollMs))
  const { data, hasNextPage, isFetching, fetchNextPage } = query
  const rows = useMemo(() => data?.pages.flatMap(({ items }) => items) ?? [], [data])
  const isPartial = hasNextPage && (data?.pages.at(-1)?.items.length ?? 0) < pageRows
  const readMore = useCallback(() => void fetchNextPage(), [fetchNextPage])
  const readOn = useCallback(() => {
    if (hasNextPage && !isPartial && !isFetching) readMore()
  }, [hasNextPage, isPartial, isFetching, readMore])
  return {
    rows,
    error: query.error,
    isPending: query.isPending,
    isReading: isFetching,
    hasMore: hasNextPage,
    isPartial,
    readMore,
    readOn,
    retry: () => void query.refetch(),
  }
}
