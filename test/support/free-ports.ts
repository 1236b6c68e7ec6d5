import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type AddressInfo, type Server } from 'node:net'

/**
 * Systems give ports from 32,768 on to whoever asks for any, and to connections: one of those would
 * often be taken between the moment at which it was free and that at which it is used.
 */
const [portMin, portMax] = [10_000, 32_000]

/** A port of this machine on which nobody listens. */
export async function freePort(): Promise<number> {
  const [port = 0] = await freePorts(1)
  return port
}

/** So many different ones. */
export async function freePorts(count: number): Promise<readonly number[]> {
  const servers: Server[] = []
  while (servers.length < count) {
    const server = createServer().listen(randomInt(portMin, portMax), '127.0.0.1')
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    )
    if (isFree) servers.push(server)
  }
  const ports = servers.map((server) => (server.address() as AddressInfo).port)
  for (const server of servers) await new Promise((resolve) => server.close(resolve))
  return ports
}
