import type { Condition, Query, SortKey } from '../../../core/declaration/query.ts'

/** The first slice is small: most searches have found a page by then. */
const firstRows = 500
/** At a microsecond or so for each, others wait some milliseconds for their turn. */
const rowsMax = 2500

/**
 * Cuts the instances, in the order of their ids, into slices, each given by conditions on the id.
 * `idAt` finds the id so many instances on. Between two slices others have their turn.
 */
export async function* slices(
  direction: SortKey['direction'],
  after: string | null,
  idAt: (query: Query) => Promise<string | null>,
  pause: () => Promise<void>,
): AsyncGenerator<readonly Condition[]> {
  const [beyond, upTo] = direction === 'asc' ? (['gt', 'lte'] as const) : (['lt', 'gte'] as const)
  const sort: readonly SortKey[] = [{ path: ['id'], direction }]
  let begin = after === null ? [] : [onId(beyond, after)]

  for (let rows = firstRows; ; rows = Math.min(2 * rows, rowsMax)) {
    const start = { offset: rows - 1 }
    const last = await idAt({ conditions: begin, searchTerms: [], sort, start, limit: 1 })
    if (last === null) {
      yield begin
      return
    }
    yield [...begin, onId(upTo, last)]
    begin = [onId(beyond, last)]
    await pause()
  }
}

function onId(operator: Condition['operator'], id: string): Condition {
  return { path: ['id'], operator, values: [id] }
}
