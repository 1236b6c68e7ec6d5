import { Client, type ClientConfig } from 'pg'
import { accountId } from '../../../core/account.ts'
import { asFault } from '../connection/fault.ts'
import { connectTo, type Servers } from '../connection/servers.ts'
import { type Clock, wait } from '../../../core/ports/clock.ts'
import type { Log } from '../../../core/ports/log.ts'
import type { Commit } from '../../../core/ports/store.ts'
import { addEffects, isNothing, noEffects, type Effects, type Listeners } from '../../commit.ts'

/** Notifies this node and the others of the work that commits leave. */
export interface WakeUps extends AsyncDisposable {
  /** Called after a commit of this node. */
  committed(effects: Effects): void
}

/** Dependencies of wake-ups. */
export interface WakeUpParts {
  readonly direct: ClientConfig
  readonly servers: Servers
  readonly node: string
  readonly listeners: Listeners
  readonly clock: Clock
  readonly log: Log
}

const channel = 'nuncio'

/** Commits within this time share a notice. */
const gatherMs = 10
/** Pause before connecting again. */
const restMs = 1000
/** PostgreSQL limits a notice to 8000 octets. Nodes check everything after a shortened notice. */
const noticeBytesMax = 7500

/**
 * Listens to the other nodes on a dedicated connection, and notifies them on it. All commits of a short
 * interval share one notice. It is sent outside their transactions, since transactions with a notice wait
 * for each other. Polling makes up for lost notices.
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

/** The connection on which nodes notify each other. */
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
        log('warn', 'notice connection failed', { error: asFault(error) })
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

/** Resolves when the connection ended, leads to a former server, or is aborted. */
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

/** Returns the commit in another node's notice; null for a notice of this node, or of another program. */
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
