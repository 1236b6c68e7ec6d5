import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { decodePdu, encodePdu } from '../../../../src/carriers/smpp/pdus/pdu-codec.ts'
import { frames } from '../../../../src/carriers/smpp/session/connection.ts'
import type { Body, PduCommand, Pdu, PduOf, Tlvs } from '../../../../src/carriers/smpp/pdus/pdu.ts'

/** What an SMSC answers to a submission; null: nothing. */
export type SubmitAnswer = { readonly status: number; readonly messageId: string } | null

/** How an SMSC behaves. What is left out it does as a good one does. */
export interface Behaviour {
  readonly onBind?: (pdu: Pdu, session: Session) => number | null
  readonly onSubmit?: (pdu: PduOf<'submit_sm'>, session: Session) => SubmitAnswer
  readonly onEnquire?: (session: Session) => boolean
}

/** A connection of an ESME. */
export interface Session {
  readonly socket: Socket
  /** The command that it bound with; null before. */
  readonly boundWith: PduCommand | null
  /** Everything that the ESME sent, in order. */
  readonly received: readonly Pdu[]
  send(pdu: Pdu): void
  /** Sends octets as they are. */
  sendOctets(octets: Uint8Array): void
  /** Sends a request and waits for its answer. */
  request<C extends PduCommand>(
    command: C,
    body: Body<C>,
    tlvs?: Tlvs,
  ): Promise<{ readonly status: number; readonly command: PduCommand }>
}

/** An SMSC on a loopback socket. */
export interface Smsc extends AsyncDisposable {
  readonly port: number
  /** The connections that are open. */
  readonly sessions: readonly Session[]
  /** What was submitted, in order, over all connections. */
  readonly submitted: readonly Submitted[]
  behaviour: Behaviour
  /** Ends all connections, without a word. */
  dropAll(): void
  /** Does not listen any more, and ends all connections. */
  stop(): Promise<void>
  /** Listens again, on the same port. */
  listen(): Promise<void>
}

/** A submission with the identifier that it got. */
export interface Submitted {
  readonly pdu: PduOf<'submit_sm'>
  readonly messageId: string
  readonly session: Session
}

/** The parameters of a short message that do not matter. */
export const plainBody: Body<'deliver_sm'> = {
  service_type: '',
  source_addr_ton: 1,
  source_addr_npi: 1,
  source_addr: '4915112345678',
  dest_addr_ton: 1,
  dest_addr_npi: 1,
  destination_addr: '4930123456',
  esm_class: 0,
  protocol_id: 0,
  priority_flag: 0,
  schedule_delivery_time: '',
  validity_period: '',
  registered_delivery: 0,
  replace_if_present_flag: 0,
  data_coding: 0,
  sm_default_msg_id: 0,
  short_message: new Uint8Array(0),
}

/** No optional parameters. */
export const noTlvs: Tlvs = new Map()

/** Starts an SMSC that takes everything, and calls the parts 1, 2, 3 and so on. */
export async function startSmsc(behaviour: Behaviour = {}, port = 0): Promise<Smsc> {
  const sessions = new Set<Session>()
  const submitted: Submitted[] = []
  let server: Server | null = null
  let listening = port
  let count = 0

  const accept = (socket: Socket): void => {
    const session = openSession(socket, smsc, () => sessions.delete(session), take)
    sessions.add(session)
  }
  const take = (pdu: PduOf<'submit_sm'>, session: Session): SubmitAnswer => {
    const usual = { status: 0, messageId: String(count + 1) }
    const answer = smsc.behaviour.onSubmit ? smsc.behaviour.onSubmit(pdu, session) : usual
    if (answer !== null && answer.status !== 0) return answer
    count += 1
    submitted.push({ pdu, messageId: answer?.messageId ?? usual.messageId, session })
    return answer
  }
  const dropAll = (): void => {
    for (const { socket } of sessions) socket.destroy()
  }

  const smsc: Smsc = {
    get port() {
      return listening
    },
    get sessions() {
      return [...sessions]
    },
    submitted,
    behaviour,
    dropAll,
    stop: async () => {
      const closing = server
      server = null
      dropAll()
      if (closing !== null) await new Promise((resolve) => closing.close(resolve))
    },
    listen: async () => {
      const made = createServer({ noDelay: true }, accept)
      await new Promise<void>((resolve, reject) => {
        made.once('error', reject)
        made.listen(listening, '127.0.0.1', resolve)
      })
      server = made
      listening = (made.address() as AddressInfo).port
    },
    [Symbol.asyncDispose]: () => smsc.stop(),
  }
  await smsc.listen()
  return smsc
}

function openSession(
  socket: Socket,
  smsc: Smsc,
  onEnd: () => void,
  take: (pdu: PduOf<'submit_sm'>, session: Session) => SubmitAnswer,
): Session {
  const incoming = frames()
  const received: Pdu[] = []
  const waiting = new Map<number, (pdu: Pdu) => void>()
  let sequence = 0
  let boundWith: PduCommand | null = null

  const send = (pdu: Pdu): void => session.sendOctets(encodePdu(pdu))
  const answer = (command: PduCommand, to: Pdu, status: number, body: object): void =>
    send({ command, status, sequence: to.sequence, body, tlvs: noTlvs } as Pdu)

  const onPdu = (pdu: Pdu): void => {
    received.push(pdu)
    switch (pdu.command) {
      case 'bind_transceiver':
      case 'bind_transmitter':
      case 'bind_receiver': {
        const status = smsc.behaviour.onBind ? smsc.behaviour.onBind(pdu, session) : 0
        if (status === 0) boundWith = pdu.command
        if (status !== null) answer(`${pdu.command}_resp`, pdu, status, { system_id: 'smsc' })
        return
      }
      case 'submit_sm': {
        const result = take(pdu, session)
        if (result === null) return
        return answer('submit_sm_resp', pdu, result.status, { message_id: result.messageId })
      }
      case 'enquire_link':
        if (smsc.behaviour.onEnquire?.(session) ?? true) answer('enquire_link_resp', pdu, 0, {})
        return
      case 'unbind':
        answer('unbind_resp', pdu, 0, {})
        socket.end()
        return
      default:
        waiting.get(pdu.sequence)?.(pdu)
        waiting.delete(pdu.sequence)
    }
  }

  socket.on('data', (octets: Buffer) =>
    incoming.take(octets, (pdu) => {
      const decoded = decodePdu(pdu)
      if (!decoded.ok) throw new Error(`the ESME sent what cannot be read: ${decoded.fault}`)
      onPdu(decoded.pdu)
    }),
  )
  socket.on('error', () => {})
  socket.once('close', onEnd)

  const session: Session = {
    socket,
    get boundWith() {
      return boundWith
    },
    received,
    send,
    sendOctets: (octets) => {
      if (socket.writable) socket.write(octets)
    },
    request: (command, body, tlvs = noTlvs) =>
      new Promise((resolve) => {
        sequence += 1
        waiting.set(sequence, resolve)
        send({ command, status: 0, sequence, body, tlvs } as Pdu)
      }),
  }
  return session
}
