import { Client, type ClientConfig, type PoolClient } from 'pg'
import type { Clock } from '../../../core/ports/clock.ts'

/** Looks after connections whose server says nothing. */
export interface Watch {
  /** Registers a connection that starts work. Returns a function to call at the end of the work. */
  begin(client: PoolClient): () => void
}

/** Work that takes longer leads to a probe of the server. */
const patienceMs = 500
/** Timeout of the probe. */
const answerMs = 700

/**
 * Ends the connections of a server that does not respond: a server that is cut off or frozen closes none
 * itself. If work takes long, a probe on another connection checks the server. If the probe fails,
 * connections with late work are cut, and their work fails.
 */
export function watch(config: () => ClientConfig, clock: Clock): Watch {
  const atWork = new Map<PoolClient, number>()
  let cancel: (() => void) | null = null

  const arm = (): void => {
    if (cancel !== null || atWork.size === 0) return
    cancel = clock.after(patienceMs / 2, () => void look())
  }
  const look = async (): Promise<void> => {
    const now = clock.monotonic()
    const late = [...atWork].filter(([, since]) => now - since > patienceMs)
    const answers = late.length === 0 || (await isAnswering({ ...config(), ...probeTimes }))
    // Those that began since may have met the server again.
    if (!answers) for (const [client, since] of late) if (atWork.get(client) === since) cut(client)
    cancel = null
    arm()
  }

  return {
    begin: (client) => {
      atWork.set(client, clock.monotonic())
      arm()
      return () => atWork.delete(client)
    },
  }
}

const probeTimes = { connectionTimeoutMillis: answerMs, query_timeout: answerMs }

/** Returns true if the server accepts a connection and answers, even with a refusal. */
async function isAnswering(config: ClientConfig): Promise<boolean> {
  const client = new Client(config)
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query('select 1')
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && /^[0-9A-Z]{5}$/.test(String(error.code))
  } finally {
    void client.end().catch(() => {})
  }
}

/** Ends a connection without a word: every question on it fails. */
function cut(client: PoolClient): void {
  const { connection }: { connection?: { stream?: { destroy(error: Error): void } } } =
    Object(client)
  connection?.stream?.destroy(new Error('Connection timeout: the server does not answer'))
}
