import { sized, type Attack } from '../../attack.ts'
import { headOf, keepOpen, pause, send } from '../../requests.ts'

const message = JSON.stringify({ to: '+4915112345678', body: 'x'.repeat(1000) })

/** Event streams that are never read, next to messages that fill them. */
export const unreadStreams: Attack = {
  name: 'unread-streams',
  title: '2,000 unread event streams, 50 messages/s',
  run: async (target, signal, note) => {
    const accept = { ...target.own, accept: 'text/event-stream' }
    const streams = keepOpen(target, sized(target, 2000), signal, note, (socket) => {
      socket.write(`${headOf('GET /v1/notifications', accept)}\r\n`)
      socket.pause()
    })
    const posted = { method: 'POST', path: '/v1/messages', body: message }
    while (!signal.aborted) {
      await Promise.all([send(target, posted, signal, note), pause(20)])
    }
    await streams
  },
}
