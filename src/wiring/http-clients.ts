import type { Clock } from '../core/ports/clock.ts'
import type { SendHttp } from '../core/ports/outgoing-request.ts'
import type { AddressLookup, EgressGuard } from '../delivery/egress/guard.ts'
import type { Post } from '../delivery/egress/post.ts'

/** The ways out of the service. */
export interface HttpClients extends AsyncDisposable {
  /** To webhooks. */
  readonly post: Post
  /** To carriers over HTTP. */
  readonly send: SendHttp
}

/** Dependencies of the HTTP clients. */
export interface HttpClientDependencies {
  readonly guard: EgressGuard
  readonly carrierGuard: EgressGuard
  readonly lookup: AddressLookup
  readonly clock: Clock
}

/** The ways out, each opened at its first use: the client that they share takes 12 MB. */
export function httpClients({
  guard,
  carrierGuard,
  lookup,
  clock,
}: HttpClientDependencies): HttpClients {
  const toWebhooks = lazyClient(async () => {
    const { poster } = await import('../delivery/egress/poster.ts')
    return poster({ guard, lookup, clock })
  })
  const toCarriers = lazyClient(async () => {
    const { sender } = await import('../delivery/egress/sender.ts')
    return sender({ guard: carrierGuard, lookup, clock, who: 'carriers' })
  })
  return {
    post: (request, signal) => toWebhooks.use((way) => way.post(request, signal)),
    send: (request, signal) => toCarriers.use((way) => way.send(request, signal)),
    [Symbol.asyncDispose]: async () => {
      await Promise.all([toWebhooks.dispose(), toCarriers.dispose()])
    },
  }
}

interface LazyClient<T> {
  use<R>(work: (way: T) => Promise<R>): Promise<R>
  dispose(): Promise<void>
}

function lazyClient<T extends AsyncDisposable>(open: () => Promise<T>): LazyClient<T> {
  let opening: Promise<T> | null = null
  let opened: T | null = null
  const openNow = async (): Promise<T> => (opened = await open())
  return {
    use: (work) => (opened === null ? (opening ??= openNow()).then(work) : work(opened)),
    dispose: async () => (await opening)?.[Symbol.asyncDispose](),
  }
}
