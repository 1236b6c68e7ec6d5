import type { LookAtStore } from '../cli/process-context.ts'
import { systemClock } from '../core/ports/clock.ts'
import { shownPostgresUrl } from '../core/postgres-urls.ts'

/** Looks at a store that a service may be using, and changes nothing. */
export const lookAtStore: LookAtStore = async (store) => {
  if (store.kind === 'sqlite') {
    const { lookAtFile } = await import('../stores/sqlite/look-at-file.ts')
    return lookAtFile(store.file)
  }
  const { lookAtDatabase } = await import('../stores/postgres/schema/postgres-end.ts')
  const aheadMs = await lookAtDatabase(store.url, systemClock)
  return { name: shownPostgresUrl(store.url), exists: true, freeBytes: null, aheadMs }
}
