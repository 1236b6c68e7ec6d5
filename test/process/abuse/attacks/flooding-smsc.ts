import type { Attack } from '../attack.ts'
import { create, pause } from '../requests.ts'
import { noTlvs, plainBody, startSmsc } from '../../../carriers/smpp/support/smsc.ts'

const shortMessage = Buffer.from('Hello, this is a message of an SMSC that does not wait.')

/** An SMSC that sends incoming messages without waiting for responses, as fast as the connection takes them. */
export const floodingSmsc: Attack = {
  name: 'flooding-smsc',
  title: 'an SMSC that floods incoming messages over 4 binds',
  run: async (target, signal, note) => {
    await using smsc = await startSmsc()
    const settings = {
      host: '127.0.0.1',
      port: smsc.port,
      systemId: 'nuncio',
      password: 'secret',
      binds: 4,
    }
    const carrier = { name: 'Flooding', type: 'SMPP', active: true, routes: [], settings }
    await create(target, target.admin, '/v1/carriers/flooding', carrier)
    let sequence = 0
    while (!signal.aborted) {
      for (const session of smsc.sessions) {
        if (session.boundWith === null) continue
        for (let sent = 0; sent < 100 && !session.socket.writableNeedDrain; sent += 1) {
          sequence = (sequence % 1_000_000_000) + 1
          const body = { ...plainBody, short_message: shortMessage }
          session.send({ command: 'deliver_sm', status: 0, sequence, body, tlvs: noTlvs })
          note('sent')
        }
      }
      await pause(1)
    }
  },
}
