import { StoreUnavailable } from '../../core/ports/store.ts'

/** What SQLite could not do, with the code by which it says why (https://sqlite.org/rescode.html). */
interface SqliteError extends Error {
  readonly errcode: number
}

/** The primary codes that mean that the file, the disk or the memory fails, and not the statement. */
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

/** The primary result code of an error of SQLite; null for any other error. */
export function resultCode(error: unknown): number | null {
  return isSqliteError(error) ? error.errcode & 0xff : null
}

/** An error of SQLite that says that the store fails, as `StoreUnavailable`; any other as it is. */
export function asFault(file: string, error: unknown): unknown {
  if (isClosed(error)) return new StoreUnavailable('the store is closed', { cause: error })
  const reason = unavailable[resultCode(error) ?? -1]
  if (reason === undefined || !isSqliteError(error)) return error
  return new StoreUnavailable(`${file}: ${reason} (${error.message})`, { cause: error })
}

/** Node's code for what is asked of a database, or a statement, that was closed. */
function isClosed(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_INVALID_STATE'
}

function isSqliteError(error: unknown): error is SqliteError {
  return error instanceof Error && 'errcode' in error && typeof error.errcode === 'number'
}
