import { useQueryClient, type InfiniteData } from '@tanstack/react-query'
import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react'
import type { Page } from '@nuncio/client'
import { collectionAt, type Instance, type ListRequest } from '../api/client.ts'
import { watchMessages } from './message-changes.ts'

/** Rows read again in one request. */
const rowsMax = 100
/** Changes remembered during a pause: those of all rows that a long reading shows. */
const missedMax = 1000

interface Options {
  readonly rows: readonly Instance[]
  readonly request: ListRequest
  /** Neither rows nor counts change, such as during a selection. Changes appear after the pause. */
  readonly isPaused: boolean
}

/** How many new rows there are, and how to show them. */
export interface NewRows {
  readonly count: number
  readonly show: () => void
}

/** Keeps rows of messages current, and counts new ones instead of moving the others. */
export function useLiveRows({ rows, request, isPaused }: Options): NewRows {
  const queries = useQueryClient()
  const [fresh, setFresh] = useState<ReadonlySet<string>>(new Set())
  const missed = useRef(new Set<string>())
  const update = useEffectEvent(async (ids: readonly string[]) => {
    if (isPaused) {
      for (const id of ids) if (missed.current.size < missedMax) missed.current.add(id)
      return
    }
    const shown = new Set(rows.map(({ id }) => id))
    const stale = ids.filter((id) => shown.has(id)).slice(0, rowsMax)
    if (stale.length > 0) {
      const { items } = await collectionAt(['messages']).list({
        where: { id: stale },
        pageSize: rowsMax,
      })
      queries.setQueriesData<Rows>({ queryKey: ['list', 'messages'] }, (data) =>
        replace(data, items),
      )
    }
    const top = rows[0]?.id ?? ''
    const unseen = ids
      .filter((id) => !shown.has(id) && !fresh.has(id) && id > top)
      .slice(0, rowsMax)
    if (unseen.length === 0 || request.sort !== undefined) return
    const found = await matching(unseen, request)
    if (found.length > 0) setFresh((before) => new Set([...before, ...found]))
  })
  useEffect(
    () => watchMessages((changes) => void update(changes.map(({ id }) => id)).catch(() => null)),
    [],
  )
  useEffect(() => {
    if (isPaused || missed.current.size === 0) return
    const ids = [...missed.current]
    missed.current.clear()
    void update(ids).catch(() => null)
  }, [isPaused])
  const show = useCallback(() => {
    setFresh(new Set())
    void queries.resetQueries({ queryKey: ['list', 'messages', request] })
  }, [queries, request])
  return { count: fresh.size, show }
}

type Rows = InfiniteData<Page<Instance>, string | null>

function replace(data: Rows | undefined, changed: readonly Instance[]): Rows | undefined {
  if (data === undefined) return undefined
  const byId = new Map(changed.map((row) => [row.id, row]))
  const pages = data.pages.map((page) => {
    if (!page.items.some(({ id }) => byId.has(id))) return page
    return { ...page, items: page.items.map((row) => byId.get(row.id) ?? row) }
  })
  return { ...data, pages }
}

/** Returns which new messages the list would show; without conditions, all of them. */
async function matching(ids: readonly string[], request: ListRequest): Promise<readonly string[]> {
  const { where = {}, search } = request
  if (Object.keys(where).length === 0 && search === undefined) return ids
  if ('id' in where) return []
  const selected = { ...request, where: { ...where, id: ids }, fields: ['id'], pageSize: rowsMax }
  return (await collectionAt(['messages']).list(selected)).items.map(({ id }) => id)
}
