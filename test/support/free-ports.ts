import { once } from 'node:events'
import { createServer } from 'node:net'

/** A port of this machine on which nobody listens. */
export async function freePort(): Promise<number> {
  const [port = 0] = await freePorts(1)
  return port
}

/** So many different ones. */
export async function freePorts(count: number): Promise<readonly number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'))
  const ports: number[] = []
  for (const server of servers) {
    if (!server.listening) await once(server, 'listening')
    const address = server.address()
    if (address === null || typeof address === 'string') throw new Error('no port is free')
    ports.push(address.port)
  }
  for (const server of servers) await new Promise((resolve) => server.close(resolve))
  return ports
}
