import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { StoreUnavailable } from '../../core/ports/store.ts'
import { searchText } from '../search-text.ts'
import { asFault, resultCode } from './fault.ts'

// Not imported, which would load all that it exports (docs/decisions/0016).
const { closeSync, existsSync, mkdirSync, openSync, statSync } = process.getBuiltinModule('node:fs')

/** A lock that reserves a file for this process. */
export interface FileLock {
  release(): void
}

/** Time for which a statement waits for another program, such as a backup, to release the file. */
const busyMs = 500

/** Memory for pages of the file, for each connection, in KiB. */
const cacheKib = 8_192

/**
 * Octets of a page of a new file. A commit writes whole pages, each by two system calls: with twice SQLite's default a
 * message takes 5 system calls instead of 8, and 5 % less CPU (docs/decisions/0073).
 */
const pageBytes = 8192

/** Pages in the write-ahead log after which they are written into the file: 16 MiB. */
const checkpointPages = 2000

/** Octets to which the write-ahead log is truncated after a long read let it grow. */
const logBytes = 64 * 1024 * 1024

/** SQLite's code for a locked file. */
const busyCode = 5

/** Makes the directory of a file, its parents included. */
export function makeDirectory(file: string): void {
  const directory = dirname(file)
  try {
    makeWithParents(directory)
    if (statSync(file, { throwIfNoEntry: false })?.isDirectory() === true) {
      throw new Error('it is a directory')
    }
    // It contains texts and secrets. SQLite's further files get the same mode.
    closeSync(openSync(file, 'a', 0o600))
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new StoreUnavailable(
      `${file} cannot be used (${reason}); name another file in NUNCIO_STORE, or let this user write there`,
      { cause: error },
    )
  }
}

/** Node's `recursive` never ends if an existing directory cannot contain another one, as in `/proc`. */
function makeWithParents(directory: string): void {
  if (existsSync(directory)) return
  makeWithParents(dirname(directory))
  try {
    mkdirSync(directory)
  } catch (error) {
    // Another process may have created it first.
    if (!existsSync(directory)) throw error
  }
}

/**
 * Reserves the file for this process. The lock is an endless transaction on a second file, which the
 * operating system releases when the process ends.
 */
export function lockFile(file: string): FileLock {
  const lock = openDatabase(`${file}.lock`, 0)
  try {
    lock.exec('pragma locking_mode = exclusive; begin exclusive')
  } catch (error) {
    lock.close()
    if (resultCode(error) !== busyCode) throw asFault(`${file}.lock`, error)
    throw new StoreUnavailable(
      `${file} is in use by another process; stop it, or name another file in NUNCIO_STORE`,
      { cause: error },
    )
  }
  return { release: () => lock.close() }
}

/** Opens a connection that writes and flushes each commit. `check` throws if the file belongs to another program. */
export function openWriter(file: string, check: (database: DatabaseSync) => void): DatabaseSync {
  const database = openDatabase(file, busyMs)
  try {
    check(database)
    database.exec(`pragma page_size = ${pageBytes}; pragma journal_mode = wal; pragma synchronous = full;
      pragma temp_store = memory; pragma cache_size = -${cacheKib};
      pragma wal_autocheckpoint = ${checkpointPages}; pragma journal_size_limit = ${logBytes}`)
    return database
  } catch (error) {
    database.close()
    throw asFault(file, error)
  }
}

/** Opens a connection that only reads. */
export function openReader(file: string): DatabaseSync {
  const database = openDatabase(file, busyMs)
  database.exec(`pragma query_only = on; pragma cache_size = -${cacheKib}`)
  return database
}

function openDatabase(file: string, timeoutMs: number): DatabaseSync {
  try {
    const database = new DatabaseSync(file, { timeout: timeoutMs })
    const matches = rememberedMatcher()
    database.function('matches', { deterministic: true }, (text, pattern) =>
      Number(typeof text === 'string' && matches(text, String(pattern))),
    )
    database.function('search_text', { deterministic: true }, (doc, names) =>
      searchText({ searchedBy: JSON.parse(String(names)) }, JSON.parse(String(doc))),
    )
    return database
  } catch (error) {
    throw asFault(file, error)
  }
}

/** Compiled patterns that a connection remembers; more than one query has. */
const patternsMax = 200

/** Matches texts with patterns. SQLite passes the pattern with each row; it is compiled at the first. */
function rememberedMatcher(): (text: string, pattern: string) => boolean {
  const compiled = new Map<string, (text: string) => boolean>()
  return (text, pattern) => {
    let matches = compiled.get(pattern)
    if (matches === undefined) {
      matches = patternMatcher(pattern)
      if (compiled.size >= patternsMax) compiled.clear()
      compiled.set(pattern, matches)
    }
    return matches(text)
  }
}

/**
 * Compiles a pattern in which `*` matches any characters, and everything else itself. Each literal is
 * taken at its first occurrence, so a match never goes back: its time is linear in the text.
 */
export function patternMatcher(pattern: string): (text: string) => boolean {
  const [first = '', ...others] = pattern.split('*')
  const last = others.pop()
  if (last === undefined) return (text) => text === pattern
  const literals = others.filter((literal) => literal !== '')

  return (text) => {
    if (!text.startsWith(first)) return false
    let end = first.length
    for (const literal of literals) {
      const found = text.indexOf(literal, end)
      if (found === -1) return false
      end = found + literal.length
    }
    return text.length - last.length >= end && text.endsWith(last)
  }
}
