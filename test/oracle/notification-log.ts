import type { AccountId } from '../../src/core/account.ts'
import type {
  LogEntry,
  LogPosition,
  LogReader,
  LogSum,
  NewNotification,
} from '../../src/core/ports/notification-log.ts'
import { isSought, wants } from '../../src/core/ports/notification-log.ts'
import { type Draft, keyOf, type State } from './state.ts'

/** The position behind the entry with this number. */
export function positionOf(place: number): LogPosition {
  return String(place) as LogPosition
}

/** The number of the entry that a position stands behind. */
export function placeOf(position: LogPosition): number {
  return Number(position)
}

/** Where the log begins. */
const begin = positionOf(0)

/** Few, so that a test sees a search come back to where it was. */
const lookedAtMax = 20

/** Reads the log of the state that `see` shows. */
export function memoryLog(see: () => State): LogReader {
  const read: LogReader['read'] = async (account, after, filter, limit) => {
    const from = placeOf(after ?? begin)
    const found: LogEntry[] = []
    for (const entry of see().log.values()) {
      if (found.length === limit) break
      const isAfter = entry.account === account && placeOf(entry.position) > from
      if (isAfter && wants(filter, entry)) found.push(entry)
    }
    return found
  }
  const endOf = (account: AccountId): LogPosition => positionOf(see().heads.get(account) ?? 0)

  return {
    read,
    search: async ({ account, after, end }, sought, limit) => {
      const within = [...see().log].filter(
        ([, entry]) =>
          entry.account === account &&
          placeOf(entry.position) > placeOf(after ?? begin) &&
          placeOf(entry.position) <= placeOf(end),
      )
      const looked = within.slice(0, lookedAtMax)
      const { deadLettersOf: setAsideFor } = sought
      const isSetAside = ({ position }: LogEntry): boolean =>
        setAsideFor === null || see().setAside.has(keyOf(account, setAsideFor, position))
      const entries = looked
        .map(([, entry]) => entry)
        .filter((entry) => isSought(sought, entry) && isSetAside(entry))
      const last = looked.length < within.length ? looked.at(-1)?.[1].position : undefined
      const found = entries.slice(0, limit)
      const full = found.length === limit ? found.at(-1)?.position : undefined
      return { entries: found, position: full ?? last ?? end }
    },
    sum: async (account, after, filter, { limit, periodMs }) => {
      const entries = await read(account, after, filter, limit)
      const sums = new Map<string, LogSum>()
      for (const { at, status, carrier = null, ...entry } of entries) {
        const { parts = 0, costMicros = 0 }: Partial<NewNotification> = entry
        const periodBegin = at - (at % periodMs)
        const name = JSON.stringify([periodBegin, status, carrier])
        const before = sums.get(name)
        sums.set(name, {
          periodBegin,
          status,
          carrier,
          entries: (before?.entries ?? 0) + 1,
          parts: (before?.parts ?? 0) + parts,
          costMicros: (before?.costMicros ?? 0) + costMicros,
        })
      }
      return { sums: [...sums.values()], position: entries.at(-1)?.position ?? null }
    },
    count: async (account, after, filter) => (await read(account, after, filter, Infinity)).length,
    end: async (account) => endOf(account),
    ends: async (accounts) => new Map(accounts.map((account) => [account, endOf(account)])),
  }
}

/** Removes from the beginning of each account's entries for as long as they are older than `before`. */
export function trimLog(draft: Draft, before: number, limit: number): number {
  for (const [key, { at }] of draft.see('setAside')) {
    if (at < before) draft.change('setAside').delete(key)
  }
  let removed = 0
  const ended = new Set<string>()
  for (const [place, { account, at }] of draft.see('log')) {
    if (removed === limit) break
    if (at >= before) ended.add(account)
    if (ended.has(account)) continue
    draft.change('log').delete(place)
    removed += 1
  }
  return removed
}
