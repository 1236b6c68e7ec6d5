import { sized, type Attack } from '../../attack.ts'
import { create, headOf, keepOpen } from '../../requests.ts'

const body = 'x'.repeat(38_000)

/** Event streams that are never read, from the beginning of a log with records near the longest. */
export const longRecords: Attack = {
  name: 'long-records',
  title: '50 unread event streams over 200 records of 38,000 characters',
  prepare: async (target) => {
    const scheduledAt = new Date(Date.now() + 3_600_000).toISOString()
    const message = { to: '+4915112345679', body, maxParts: 255, scheduledAt }
    for (let index = 0; index < sized(target, 200); index += 1) {
      await create(target, target.own, `/v1/messages/long${index}`, message)
    }
  },
  run: (target, signal, note) => {
    const fields = { ...target.own, accept: 'text/event-stream', 'last-event-id': '0' }
    return keepOpen(target, sized(target, 50), signal, note, (socket) => {
      socket.write(`${headOf('GET /v1/notifications?statuses=SCHEDULED', fields)}\r\n`)
      socket.pause()
    })
  },
}
