import { viewedAccount } from '../api/viewed-account.ts'
import { client } from '../api/client.ts'
import { sentStatuses } from '../api/statuses.ts'

/** A message that changed, and its parties. */
export interface MessageChange {
  readonly id: string
  readonly from: string
  readonly to: string
}

type Listener = (changes: readonly MessageChange[]) => void

/** One stream for all tabs: HTTP/1.1 allows few connections to a service. */
const streamName = 'nuncio.messages'
/** Changes are gathered: people read no faster, and each tab reads the rows again. */
const flushMs = 1000
/** Further changes within one flush are dropped: nobody sees so many rows. */
const changesMax = 300
/** The wait before another stream if one ended for good. */
const pauseMs = 30_000

const listeners = new Set<Listener>()
let stop: AbortController | null = null

/**
 * Watches messages until the returned function is called. The stream knows the own account only: while
 * another one is viewed, nothing is reported.
 */
export function watchMessages(listener: Listener): () => void {
  if (viewedAccount() !== null) return () => {}
  listeners.add(listener)
  stop ??= start()
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    stop?.abort()
    stop = null
  }
}

function start(): AbortController {
  const ended = new AbortController()
  const channel = new BroadcastChannel(streamName)
  channel.addEventListener('message', ({ data }) => notify(data))
  ended.signal.addEventListener('abort', () => channel.close())
  const publish = (changes: readonly MessageChange[]): void => {
    channel.postMessage(changes)
    notify(changes)
  }
  const lead = (): Promise<void> => follow(publish, ended.signal)
  // Without TLS a browser has locks on the own machine only: then each tab has its stream.
  if ('locks' in navigator) {
    navigator.locks.request(streamName, { signal: ended.signal }, lead).catch(() => null)
  } else void lead()
  return ended
}

function notify(changes: readonly MessageChange[]): void {
  for (const listener of listeners) listener(changes)
}

async function follow(publish: Listener, signal: AbortSignal): Promise<void> {
  const changed = new Map<string, MessageChange>()
  const timer = setInterval(() => {
    if (changed.size === 0) return
    publish([...changed.values()])
    changed.clear()
  }, flushMs)
  try {
    while (!signal.aborted) {
      await readStream(changed, signal).catch(() => null)
      if (!signal.aborted) await new Promise((resolve) => setTimeout(resolve, pauseMs))
    }
  } finally {
    clearInterval(timer)
  }
}

async function readStream(changed: Map<string, MessageChange>, signal: AbortSignal): Promise<void> {
  const stream = client.notifications.stream(
    { types: ['SENT', 'RECEIVED'], statuses: sentStatuses },
    { signal },
  )
  for await (const { id, from, to } of stream) {
    if (changed.size < changesMax) changed.set(id, { id, from, to })
  }
}
