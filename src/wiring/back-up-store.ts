import type { StorePages } from '../core/ports/moving.ts'
import { backUpFile } from '../stores/sqlite/back-up.ts'

/** Copies the file of an SQLite store into a new one. Throws `StoreUnavailable` with the remedy if it cannot. */
export function backUpStore(
  from: string,
  to: string,
  report: (pages: StorePages) => void,
): Promise<void> {
  return backUpFile(from, to, report)
}
