import { createRequire } from 'node:module'
import type { AddressInfo, Server } from 'node:net'
import type { Peer } from './peer.ts'

/** The parts of the package `smpp` that are used here; it has no types. */
interface Session {
  on(event: string, listener: (pdu: Pdu) => void): void
  send(pdu: unknown): void
  deliver_sm(fields: object): void
}
interface Pdu {
  readonly source_addr: string
  readonly destination_addr: string
  response(fields?: object): unknown
}

const smpp: { createServer(options: object, onSession: (session: Session) => void): Server } =
  createRequire(import.meta.url)('smpp')

/** Starts an SMSC made with the package `smpp`: it takes all parts, and reports each by TLVs. */
export async function startNpmSmpp(): Promise<Peer> {
  let count = 0
  const server: Server = smpp.createServer({}, (session) => {
    for (const name of ['bind_transceiver', 'enquire_link', 'unbind']) {
      session.on(name, (pdu) => session.send(pdu.response()))
    }
    session.on('submit_sm', (pdu) => {
      count += 1
      session.send(pdu.response({ message_id: `part${count}` }))
      session.deliver_sm({
        source_addr: pdu.destination_addr,
        destination_addr: pdu.source_addr,
        esm_class: 4,
        receipted_message_id: `part${count}`,
        message_state: 2,
        short_message: '',
      })
    })
    session.on('error', () => {})
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    [Symbol.asyncDispose]: async () => void server.close(),
  }
}
