import type { QueryClient } from '@tanstack/react-query'
import { collectionsQuery, listQuery } from '../../api/queries.ts'
import { listRequest, listStateIn, type AddressParameters } from './list-state.ts'

/** Reads the first rows of a list while the code of its screen is loaded. A fault is the list's to show. */
export async function readAhead(
  queries: QueryClient,
  path: string,
  parameters: AddressParameters,
): Promise<void> {
  try {
    const collections = await queries.query(collectionsQuery)
    const collection = collections.find((one) => one.path === path)
    if (collection === undefined) return
    const query = listQuery([path], listRequest(listStateIn(collection, parameters)))
    // Rows that were read before are shown first, however old they are.
    await queries.infiniteQuery({ ...query, staleTime: 'static' })
  } catch {
    // The list asks again.
  }
}
