import type { TestContext } from 'node:test'
import { createClient, type Client, type ClientOptions } from '../../src/index.ts'
import { scriptedServer, type Reply, type ScriptedServer } from './scripted-server.ts'
import type { shop } from './shop.ts'
import { steeredClock, type SteeredClock } from './steered-clock.ts'

/** A client with a scripted server and a clock that does not advance by itself. */
export interface Scripted {
  readonly client: Client<typeof shop>
  readonly server: ScriptedServer
  readonly clock: SteeredClock
}

/** Starts them. Half of every span is drawn, and all octets are 7. */
export async function scripted(
  t: TestContext,
  replies: readonly Reply[],
  options: Partial<Omit<ClientOptions, 'version'>> = {},
): Promise<Scripted> {
  const server = await scriptedServer(t, replies)
  const clock = steeredClock()
  const random = { fraction: () => 0.5, bytes: (count: number) => new Uint8Array(count).fill(7) }
  const client = createClient<typeof shop>({
    baseUrl: server.url,
    key: 'nuncio_key',
    clock,
    random,
    ...options,
  })
  return { client, server, clock }
}
