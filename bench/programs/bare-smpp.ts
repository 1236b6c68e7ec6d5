import { createRequire } from 'node:module'

/** What the loop of npm smpp is to send, where to. */
export interface BareSmpp {
  readonly port: number
  readonly messages: number
  readonly window: number
  readonly body: string
  readonly to: string
}

/** What of npm smpp is used. */
interface Session {
  bind_transceiver(fields: object, answered: (pdu: Answer) => void): void
  submit_sm(fields: object, answered: (pdu: Answer) => void): void
  on(event: 'deliver_sm', handle: (pdu: Answer) => void): void
  send(pdu: unknown): void
  close(): void
}

interface Answer {
  readonly command_status: number
  response(): unknown
}

const smpp = createRequire(import.meta.url)('smpp') as {
  connect(options: object, connected: () => void): Session
}

// A bare loop: it submits as fast as the window lets it, answers receipts, and keeps nothing. Told what to
// send, it says how many a second were submitted and receipted.
process.on('message', (work: BareSmpp) => void run(work).then((found) => process.send?.(found)))
process.on('disconnect', () => process.exit())
process.send?.({ port: 0 })

function run({
  port,
  messages,
  window,
  body,
  to,
}: BareSmpp): Promise<{ arrived: number; missing: number }> {
  return new Promise((resolve, reject) => {
    let [sent, answered, receipted] = [0, 0, 0]
    let began = 0
    const session = smpp.connect({ host: '127.0.0.1', port }, () => {
      session.bind_transceiver({ system_id: 'bare', password: 'up' }, ({ command_status }) => {
        if (command_status !== 0) return reject(new Error('it was not bound'))
        began = performance.now()
        pump()
      })
    })
    const pump = (): void => {
      while (sent < messages && sent - answered < window) {
        sent += 1
        const fields = { destination_addr: to, short_message: body, registered_delivery: 1 }
        session.submit_sm(fields, () => {
          answered += 1
          pump()
        })
      }
    }
    session.on('deliver_sm', (pdu) => {
      session.send(pdu.response())
      receipted += 1
      if (receipted < messages) return
      session.close()
      resolve({ arrived: messages / ((performance.now() - began) / 1000), missing: 0 })
    })
  })
}
