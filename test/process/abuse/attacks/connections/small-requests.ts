import { sized, type Attack } from '../../attack.ts'
import { headOf, keepOpen } from '../../requests.ts'

/** Requests that wait on each connection: a pipeline that the service accepts. */
const pipelined = 8

/** The cheapest requests, as many as the service answers. */
export const smallRequests: Attack = {
  name: 'small-requests',
  title: 'small GETs over 1,000 connections, 8 pipelined on each',
  run: (target, signal, note) => {
    const request = `${headOf('GET /v1/contacts/none', target.own)}\r\n`
    return keepOpen(target, sized(target, 1000), signal, note, (socket) => {
      socket.on('data', (chunk: Buffer) => {
        const answered = chunk.toString('latin1').split('HTTP/1.1 ').length - 1
        if (answered === 0) return
        note('answered')
        socket.write(request.repeat(answered))
      })
      socket.write(request.repeat(pipelined))
    })
  },
}
