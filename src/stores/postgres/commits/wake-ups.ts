import { Client, type ClientConfig } from 'pg'
import { accountId } from '../../../core/account.ts'
import { asFault } from '../connection/fault.ts'
import { connectTo, type Servers } from '../connection/servers.ts'
import { type Clock, wait } from '../../../core/ports/clock.ts'
import type { Log } from '../../../core/ports/log.ts'
import type { Commit } from '../../../core/ports/store.ts'
import { addEffects, isNothing, noEffects, type Effects, type Listeners } from '../../commit.ts'

/** Tells this node, and the others, what commits left to do. */
export interface WakeUps extends AsyncDisposable {
  /** Called after a commit of this node. */
  committed(effects: Effects): void
}

/** What wake-ups are made of. */
export interface WakeUpParts {
  readonly direct: ClientConfig
  readonly servers: Servers
  readonly node: string
  readonly listeners: Listeners
  readonly clock: Clock
  readonly log: Log
}

const channel = 'nuncio'

/** The commits of so long share a notice. */
const gatherMs = 10
/** How long to wait before connecting again. */
const restMs = 1000
/** A notice holds 8000 octets; who is told of more looks at everything. */
const noticeBytesMax = 7500

/**
 * Listens to the other nodes over a connection of its own, and tells them over it: one notice for the
 * commits of a moment, outside of their transactions, since those with a notice wait for each other.
 * A notice that is lost is made up for by whoever polls.
 */
export function wakeUps(parts: WakeUpParts): WakeUps {
  const { listeners, clock } = parts
  const stopping = new AbortController()
  const line = lineTo(parts, stopping.signal)
  let gathered = noEffects()
  let isGathering = false

  const send = async (): Promise<void> => {
    await wait(clock, gatherMs, stopping.signal)
    const effects = gathered
    gathered = noEffects()
    isGathering = false
    const notice = noticeOf(parts.node, effects)
    await line.say(notice)
  }
  return {
    committed: (effects) => {
      listeners.tell(effects)
      if (isNothing(effects)) return
      addEffects(gathered, effects)
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
        await ended(client, parts.servers, signal)
      } catch (error) {
        log('warn', 'other nodes are not heard', { error: asFault(error) })
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

async function connected(parts: WakeUpParts): Promise<Client> {
  const { direct, servers, node, listeners } = parts
  const found = await connectTo(direct, servers)
  const config: ClientConfig & { readonly pipeline: boolean } = { ...found, pipeline: true }
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

/** Kept when the connection has ended, or is not wanted any more, or leads to a former server. */
function ended(client: Client, servers: Servers, signal: AbortSignal): Promise<void> {
  return new Promise<void>((resolve) => {
    const stop = servers.onMove(done)
    function done(): void {
      stop()
      signal.removeEventListener('abort', done)
      resolve()
    }
    client.once('end', done)
    client.once('error', done)
    signal.addEventListener('abort', done)
    if (signal.aborted) done()
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
