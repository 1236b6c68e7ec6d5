import { defaultAccount } from '../../core/account.ts'
import type { Clock, Instant } from '../../core/ports/clock.ts'
import { qualifiedName, type Collection } from '../../core/declaration/collection.ts'
import type { Log } from '../../core/ports/log.ts'
import { Problem } from '../../core/problem.ts'
import type { Principal } from '../../core/declaration/rules.ts'
import { where, type Store } from '../../core/ports/store.ts'
import { parseTimestamp } from '../../core/timestamp.ts'
import { isPostedQuery } from '../routing/check-head.ts'
import type { RequestHead } from '../server/request.ts'

/** Lets a request through, or throws `unavailable` while the service is being maintained. */
export interface Maintenance extends Disposable {
  /** Reads the windows, at start and whenever some node changed them. */
  refresh(): Promise<void>
  /** Checks a request; `principal` is null if it has no valid key. */
  check(request: RequestHead, collection: string, principal: Principal | null): void
  /** Returns true while a window is open. */
  isOn(): boolean
}

/** A window, parsed. */
interface Window {
  readonly startsAt: Instant
  readonly endsAt: Instant
  readonly retryAfterSeconds: number
  readonly reason: string | null
}

/** Maximum of windows that are read. */
const windowsMax = 100

/** Administrators read, and end what they began. */
const reads = ['GET', 'HEAD', 'QUERY']

/** Watches the windows of the collection given, which belong to the installation. */
export function maintenance(
  store: Store,
  windows: Collection,
  clock: Clock,
  log: Log,
): Maintenance {
  let known: readonly Window[] = []
  const refresh = async (): Promise<void> => {
    const found = await store.read(defaultAccount, (reader) =>
      reader.list(windows, null, where([], windowsMax)),
    )
    known = found.map(({ doc }) => parse(doc))
  }
  const stop = store.onCommit(({ changed }) => {
    if (!changed.has(qualifiedName(windows))) return
    refresh().catch((error: unknown) => log('error', 'maintenance windows not read', { error }))
  })
  const endPolling = store.isShared ? every(pollMs, clock, refresh) : () => {}
  const open = (): Window | undefined => {
    if (known.length === 0) return undefined
    const now = clock.now()
    return known.find(({ startsAt, endsAt }) => startsAt <= now && now < endsAt)
  }
  return {
    refresh,
    isOn: () => open() !== undefined,
    check: (request, collection, principal) => {
      const window = open()
      if (window === undefined) return
      const may = isRead(request) || collection === windows.name
      if (principal?.administrator === true && may) return
      throw refusal(window)
    },
    [Symbol.dispose]: () => {
      stop()
      endPolling()
    },
  }
}

/** A query in the body of a POST is a read, too. */
function isRead(request: RequestHead): boolean {
  return reads.includes(request.method) || isPostedQuery(request)
}

/** Other nodes change the windows, too, and a notice of it may be lost: what holds is known after this. */
const pollMs = 2000

/** Repeats an operation until stopped, also if it fails. */
function every(ms: number, clock: Clock, work: () => Promise<void>): () => void {
  let cancel = (): void => {}
  const arm = (): void => {
    cancel = clock.after(ms, () => void work().then(arm, arm))
  }
  arm()
  return () => cancel()
}

function refusal({ reason, retryAfterSeconds }: Window): Problem {
  const detail = reason === null ? '' : ` ${reason}`
  return new Problem('unavailable', `The service is under maintenance.${detail}`, {
    headers: { 'retry-after': String(retryAfterSeconds) },
  })
}

function parse(doc: string): Window {
  const {
    startsAt,
    endsAt,
    ...rest
  }: Record<'startsAt' | 'endsAt', string | null> & Pick<Window, 'retryAfterSeconds' | 'reason'> =
    JSON.parse(doc)
  return {
    ...rest,
    startsAt: startsAt === null ? -Infinity : (parseTimestamp(startsAt) ?? -Infinity),
    endsAt: endsAt === null ? Infinity : (parseTimestamp(endsAt) ?? Infinity),
  }
}
