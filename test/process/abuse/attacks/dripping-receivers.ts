import { createServer } from 'node:net'
import { sized, type Attack } from '../attack.ts'
import { pause, send } from '../requests.ts'

const webhooks = 200
const dripMs = 200

/** Receivers that send one octet of their response at a time. */
export const drippingReceivers: Attack = {
  name: 'dripping-receivers',
  title: '200 receivers that respond one octet at a time, 20 messages/s',
  run: async (target, signal, note) => {
    const server = createServer((socket) => {
      note('called')
      socket.on('error', () => {})
      socket.resume()
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1000000\r\n\r\n')
      const timer = setInterval(() => socket.write('a'), dripMs)
      socket.once('close', () => clearInterval(timer))
      signal.addEventListener('abort', () => socket.destroy(), { once: true })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    const port = typeof address === 'object' ? address?.port : 0
    for (let index = 0; index < sized(target, webhooks) && !signal.aborted; index += 1) {
      const settings = { url: `http://127.0.0.1:${port}/${index}`, statuses: ['ACCEPTED'] }
      const put = { method: 'PUT', path: `/v1/webhooks/dripping${index}` }
      await send(target, { ...put, body: JSON.stringify(settings) }, signal, note)
    }
    const body = JSON.stringify({ to: '+4915112345678', body: 'Hello' })
    while (!signal.aborted) {
      const posted = send(target, { method: 'POST', path: '/v1/messages', body }, signal, note)
      await Promise.all([posted, pause(50)])
    }
    server.close()
  },
}
