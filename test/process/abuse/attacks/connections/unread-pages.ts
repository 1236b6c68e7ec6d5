import { sized, type Attack } from '../../attack.ts'
import { create, headOf, keepOpen } from '../../requests.ts'

const contacts = 100
const attributes = Object.fromEntries(
  Array.from({ length: 100 }, (_, index) => [`text${index}`, 'x'.repeat(1000)]),
)

/** Pages of 10 MB that are never read. */
export const unreadPages: Attack = {
  name: 'unread-pages',
  title: '60 clients that do not read pages of contacts of 100 KB',
  prepare: async (target) => {
    for (let index = 0; index < sized(target, contacts); index += 1) {
      const contact = { address: '+4915112345678', attributes }
      await create(target, target.own, `/v1/contacts/large${index}`, contact)
    }
  },
  run: (target, signal, note) =>
    keepOpen(target, sized(target, 60), signal, note, (socket) => {
      socket.write(`${headOf('GET /v1/contacts?pageSize=1000', target.own)}\r\n`)
      socket.pause()
    }),
}
