import { StoreUnavailable } from '../../core/ports/store.ts'

/** An error of SQLite with its result code (https://sqlite.org/rescode.html). */
interface SqliteError extends Error {
  readonly errcode: number
}

/** Primary codes for a failure of the file, the disk or the memory. */
const unavailable: Readonly<Record<number, string>> = {
  5: 'another program holds it; let it finish, or stop it',
  7: 'there is not enough memory',
  8: 'it cannot be written; let this user write the file and its directory',
  10: 'the disk failed, or is full',
  11: 'it is damaged; restore it from a backup',
  13: 'the disk is full; make room',
  14: 'it cannot be opened; let this user read and write the file and its directory',
  26: 'it is no SQLite database, or is damaged; restore it from a backup or name another file',
}

/** Returns the primary result code of an error of SQLite; null for any other error. */
export function resultCode(error: unknown): number | null {
  return isSqliteError(error) ? error.errcode & 0xff : null
}

/** Converts an error of SQLite about a failing store to `StoreUnavailable`; returns others unchanged. */
export function asFault(file: string, error: unknown): unknown {
  if (isClosed(error)) return new StoreUnavailable('the store is closed', { cause: error })
  const reason = unavailable[resultCode(error) ?? -1]
  if (reason === undefined || !isSqliteError(error)) return error
  return new StoreUnavailable(`${file}: ${reason} (${error.message})`, { cause: error })
}

/** Returns true for Node's error about a closed database or statement. */
function isClosed(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_INVALID_STATE'
}

function isSqliteError(error: unknown): error is SqliteError {
  return error instanceof Error && 'errcode' in error && typeof error.errcode === 'number'
}
