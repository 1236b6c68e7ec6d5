import { Client, type ClientConfig } from 'pg'
import { accountId } from '../../../core/account.ts'
import { type Clock, wait } from '../../../core/ports/clock.ts'
import type { Log } from '../../../core/ports/log.ts'
import type { Commit } from '../../../core/ports/store.ts'
import { addEffects, isNothing, noEffects, type Effects, type Listeners } from '../../commit.ts'
import type { Horizon } from '../connection/connection.ts'

/** Tells this node, and the others, what commits left to do. */
export interface WakeUps extends AsyncDisposable {
  /** After a commit of this node; with how far the log could be read then, where it grew. */
  committed(effects: Effects, horizon: Horizon | null): void
}

/** What wake-ups are made of. */
export interface WakeUpParts {
  readonly direct: ClientConfig
  readonly node: string
  readonly listeners: Listeners
  /** Until which transaction the log can be read, and which will be the next. */
  readonly horizon: () => Promise<Horizon>
  readonly clock: Clock
  readonly log: Log
}

const channel = 'nuncio'

/** The commits of so long share a notice. */
const gatherMs = 10
/** How often it is asked whether the log can be read. */
const settleMs = 15
/** How long to wait before connecting again. */
const restMs = 1000
/** A notice holds 8000 octets; who is told of more looks at everything. */
const noticeBytesMax = 7500

/**
 * Listens to the other nodes over a connection of its own, and tells them over it: one notice for the
 * commits of a moment, outside of their transactions, since those with a notice wait for each other.
 * A notice that is lost is made up for by whoever polls. What a commit added to the log can be read
 * only when all transactions before it are over, so of it is told once more then.
 */
export function wakeUps(parts: WakeUpParts): WakeUps {
  const { listeners, clock } = parts
  const stopping = new AbortController()
  const line = lineTo(parts, stopping.signal)
  let gathered = noEffects()
  let settledFrom = 0
  let isGathering = false

  const send = async (): Promise<void> => {
    await wait(clock, gatherMs, stopping.signal)
    const [effects, from] = [gathered, settledFrom]
    gathered = noEffects()
    settledFrom = 0
    isGathering = false
    if (from > 0) {
      await settled(parts, from, stopping.signal)
      listeners.tell({ ...noEffects(), notified: effects.notified })
    }
    const notice = noticeOf(parts.node, effects)
    await line.say(notice)
  }
  return {
    committed: (effects, horizon) => {
      listeners.tell(effects)
      if (isNothing(effects)) return
      addEffects(gathered, effects)
      if (horizon !== null && horizon.settled < horizon.next) {
        settledFrom = Math.max(settledFrom, horizon.next)
      }
      if (isGathering) return
      isGathering = true
      void send()
    },
    [Symbol.asyncDispose]: async () => {
      stopping.abort()
      await line.ended
    },
  }
}

/** Waits until all transactions below `from` are over. */
async function settled(
  { clock, horizon, log }: WakeUpParts,
  from: number,
  signal: AbortSignal,
): Promise<void> {
  try {
    while (!signal.aborted && (await horizon()).settled < from) await wait(clock, settleMs, signal)
  } catch (error) {
    log('debug', 'log not looked at', { error })
  }
}

/** The connection over which nodes tell each other. */
interface Line {
  say(notice: string): Promise<void>
  readonly ended: Promise<void>
}

/** Connects, and connects again where the connection fails, until the signal is given. */
function lineTo(parts: WakeUpParts, signal: AbortSignal): Line {
  const { clock, log } = parts
  let client: Client | null = null
  const listen = async (): Promise<void> => {
    while (!signal.aborted) {
      try {
        client = await connected(parts)
        await ended(client, signal)
      } catch (error) {
        log('warn', 'other nodes are not heard', { error })
      }
      const gone = client
      client = null
      await gone?.end().catch(() => {})
      await wait(clock, restMs, signal)
    }
  }
  return {
    say: async (notice) => {
      await client?.query('select pg_notify($1, $2)', [channel, notice]).catch(() => {})
    },
    ended: listen(),
  }
}

async function connected({ direct, node, listeners }: WakeUpParts): Promise<Client> {
  const config: ClientConfig & { readonly pipeline: boolean } = { ...direct, pipeline: true }
  const client = new Client(config)
  client.on('notification', ({ payload }) => {
    const commit = readNotice(node, payload ?? '')
    if (commit !== null) listeners.tell(commit)
  })
  client.on('error', () => {})
  await client.connect()
  await client.query(`listen ${channel}`)
  return client
}

/** Kept when the connection has ended, or is not wanted any more. */
function ended(client: Client, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    client.once('end', resolve)
    client.once('error', () => resolve())
    if (signal.aborted) return resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
}

function noticeOf(node: string, { notified, changed, submissionDueAt, recalled }: Effects): string {
  const notice = { node, notified: [...notified], changed: [...changed], submissionDueAt, recalled }
  const text = JSON.stringify(notice)
  if (Buffer.byteLength(text) <= noticeBytesMax) return text
  return JSON.stringify({
    ...notice,
    notified: [],
    changed: [...changed].slice(0, 50),
    recalled: recalled.slice(0, 50),
  })
}

/** What another node tells; null for our own words, and for what is none of ours. */
function readNotice(node: string, payload: string): Commit | null {
  try {
    const notice: {
      readonly node?: unknown
      readonly notified?: readonly string[]
      readonly changed?: readonly string[]
      readonly submissionDueAt?: number | null
      readonly recalled?: readonly string[]
    } = JSON.parse(payload)
    if (notice.node === node) return null
    return {
      notified: new Set((notice.notified ?? []).map(accountId)),
      changed: new Set(notice.changed),
      submissionDueAt: notice.submissionDueAt ?? null,
      recalled: notice.recalled ?? [],
    }
  } catch {
    return null
  }
}
