import { infiniteQueryOptions, queryOptions, useSuspenseQuery } from '@tanstack/react-query'
import { collectionAt, type Instance, type ListRequest } from './client.ts'
import { describeCollections, type CollectionDescription } from './collection.ts'
import { readDocument } from './document.ts'

/** Rows of one request: two screens, read within a few milliseconds. */
export const pageRows = 100

/** The collections of the service, which change only with its configuration. */
export const collectionsQuery = queryOptions({
  queryKey: ['collections'],
  queryFn: async ({ signal }) => describeCollections(await readDocument(signal)),
  staleTime: Infinity,
  gcTime: Infinity,
})

/** Returns the collections of the service. */
export function useCollections(): readonly CollectionDescription[] {
  return useSuspenseQuery(collectionsQuery).data
}

/** Returns a collection by its path; null if the service has none such. */
export function useCollection(path: string): CollectionDescription | null {
  return useCollections().find((one) => one.path === path) ?? null
}

/** Reads a list page by page. */
export function listQuery(path: readonly string[], request: ListRequest, everyMs?: number) {
  return infiniteQueryOptions({
    queryKey: ['list', path.join('/'), request],
    queryFn: ({ pageParam, signal }) =>
      collectionAt(path).list(
        { pageSize: pageRows, ...request, ...(pageParam === null ? {} : { after: pageParam }) },
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    staleTime: 5000,
    // Comparing all rows with the ones before takes longer than drawing those in view.
    structuralSharing: false,
    ...(everyMs === undefined ? {} : { refetchInterval: everyMs }),
  })
}

/** Reads one page of a list, at an interval while the screen is visible. */
export function pageQuery(path: readonly string[], request: ListRequest, everyMs?: number) {
  return queryOptions({
    queryKey: ['page', path.join('/'), request],
    queryFn: ({ signal }) => collectionAt(path).list(request, { signal }),
    ...(everyMs === undefined ? {} : { refetchInterval: everyMs }),
  })
}

/** Reads an instance. Its identity is kept, since its entity tag belongs to it. */
export function instanceQuery(path: readonly string[], id: string, everyMs?: number) {
  return queryOptions({
    queryKey: ['instance', path.join('/'), id],
    queryFn: ({ signal }): Promise<Instance> => collectionAt(path).get(id, { signal }),
    structuralSharing: false,
    ...(everyMs === undefined ? {} : { refetchInterval: everyMs }),
  })
}
