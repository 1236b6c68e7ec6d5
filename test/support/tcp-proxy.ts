import { connect, createServer, type Socket } from 'node:net'

/** What a proxy does with connections: passes all data on, passes nothing on, or ends and refuses them. */
export type ProxyState = 'PASSING' | 'STALLED' | 'REFUSING'

/** A proxy before a server, by which a test takes the server away. */
export interface TcpProxy extends AsyncDisposable {
  /** The address of the server with the port of the proxy. */
  readonly url: string
  set(next: ProxyState): void
}

/** Starts a proxy that passes all data on. */
export async function startTcpProxy(target: URL): Promise<TcpProxy> {
  const pairs = new Set<readonly [Socket, Socket]>()
  let state: ProxyState = 'PASSING'
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname)
    const pair = [client, upstream] as const
    pairs.add(pair)
    for (const socket of pair) {
      socket.on('error', () => {})
      socket.on('close', () => pair.forEach((each) => each.destroy()))
    }
    client.on('close', () => pairs.delete(pair))
    client.pipe(upstream)
    upstream.pipe(client)
    if (state === 'STALLED') pair.forEach((each) => each.pause())
  })
  const host = '127.0.0.1'
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  const address = server.address()
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0
  const url = new URL(target)
  url.port = String(port)
  return {
    url: url.href,
    set(next) {
      state = next
      if (state === 'REFUSING') server.close()
      else if (!server.listening) server.listen(port, host)
      for (const pair of pairs) {
        if (state === 'REFUSING') pair[0].destroy()
        for (const socket of pair) if (state === 'STALLED') socket.pause()
        for (const socket of pair) if (state === 'PASSING') socket.resume()
      }
    },
    async [Symbol.asyncDispose]() {
      server.close()
      for (const [client] of pairs) client.destroy()
    },
  }
}
