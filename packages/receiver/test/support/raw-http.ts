import { once } from 'node:events'
import type { Server } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import type { TestContext } from 'node:test'

/** Lets a server listen on a free port until the test ends; gives the port. */
export async function listen(t: TestContext, server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

/** A raw connection; `answer` resolves to all text until the other side closed. */
export function rawConnection(
  t: TestContext,
  port: number,
): { socket: Socket; answer: Promise<string> } {
  const socket = connect(port, '127.0.0.1')
  t.after(() => socket.destroy())
  return { socket, answer: text(socket) }
}

/** The head of a POST with these headers, to be followed by its body. */
export function headOf(headers: Readonly<Record<string, string>>): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `POST /webhooks HTTP/1.1\r\nhost: localhost\r\n${lines.join('')}\r\n`
}
