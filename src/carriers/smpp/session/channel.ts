import type { Clock } from '../../../core/ports/clock.ts'
import { decodePdu, encodePdu } from '../pdus/pdu-codec.ts'
import { type Body, commands, type Pdu, type PduCommand, statuses, type Tlvs } from '../pdus/pdu.ts'
import type { SmppSettings } from '../settings.ts'
import { deliveryGate, inPieces, type Connect, type DeliveryGate } from './connection.ts'

/** Dependencies of a channel. */
export interface ChannelOptions {
  readonly connect: Connect
  readonly settings: SmppSettings
  readonly clock: Clock
}

/** Events of a channel. `onEnd` comes once and last. */
export interface ChannelEvents {
  onOpen(): void
  /** A request of the SMSC. */
  onRequest(pdu: Pdu): void
  /** A request was answered, by this command. */
  onAnswered(command: PduCommand): void
  /** A request was not answered in time. */
  onTimeout(): void
  /** A PDU that could not be read, which was answered as the standard asks, or an answer to no request. */
  onFault(fault: string): void
  onEnd(reason: string): void
}

/** Requests and answers over a connection. */
export interface Channel {
  readonly gate: DeliveryGate
  readonly requests: OpenRequests
  /** When octets last came, on the monotonic clock. */
  readonly heardAtMs: number
  /** Sends a request. */
  request<C extends RequestCommand>(
    command: C,
    body: Body<NoInfer<C>>,
    onAnswer: (answer: PduResponse) => void,
  ): void
  /** Sends a `submit_sm` that is written already, but for its sequence number. */
  submit(pdu: Buffer, onAnswer: (answer: PduResponse) => void): void
  /** Sends an answer. */
  answer<C extends PduCommand>(
    command: C,
    sequence: number,
    status: number,
    body: Body<NoInfer<C>>,
  ): void
  end(reason: string): void
}

/** A command that has an answer. */
type RequestCommand = {
  [C in PduCommand]: `${C}_resp` extends PduCommand ? C : never
}[PduCommand]

/** Opens a channel. */
export function openChannel(options: ChannelOptions, events: ChannelEvents): Channel {
  const { connect, settings, clock } = options
  let open = true
  let heardAtMs = clock.monotonic()

  const end = (reason: string): void => {
    if (!open) return
    open = false
    connection.destroy()
    events.onEnd(reason)
  }
  const onInvalid = (): void => {
    channel.answer('generic_nack', 0, statuses.ESME_RINVCMDLEN, {})
    end('the SMSC sent a PDU of an impossible length')
  }
  const incoming = inPieces({
    onPdu: (pdu) => open && read(pdu, channel, events),
    onInvalid,
    mayRead: () => open && !gate.isShut,
  })
  const connection = connect(settings, {
    onOpen: () => open && events.onOpen(),
    onOctets: (octets) => {
      heardAtMs = clock.monotonic()
      incoming.add(octets)
    },
    onRoom: () => gate.onRoom(),
    onEnd: end,
  })
  const gate = deliveryGate(connection, incoming.readOn)
  const write = (octets: Buffer): void => {
    if (open && !connection.write(octets)) gate.onFull()
  }
  const { onTimeout } = events
  const requests = openRequests({ clock, timeoutMs: settings.responseTimeoutMs, onTimeout })

  const channel: Channel = {
    gate,
    requests,
    get heardAtMs() {
      return heardAtMs
    },
    ...writing(write, requests),
    end,
  }
  return channel
}

/** Writes PDUs. */
function writing(
  write: (octets: Buffer) => void,
  requests: OpenRequests,
): Pick<Channel, 'request' | 'submit' | 'answer'> {
  const send = (pdu: Pdu): void => write(encodePdu(pdu))
  return {
    request: (command, body, onAnswer) => {
      const sequence = requests.add(`${command}_resp`, onAnswer)
      send({ command, status: 0, sequence, body, tlvs: noTlvs } as Pdu)
    },
    submit: (pdu, onAnswer) => {
      pdu.writeUInt32BE(requests.add('submit_sm_resp', onAnswer), sequenceOffset)
      write(pdu)
    },
    answer: (command, sequence, status, body) =>
      send({ command, status, sequence, body, tlvs: noTlvs } as Pdu),
  }
}

/** Offset of the sequence number in the header, section 3.2. */
const sequenceOffset = 12

const noTlvs: Tlvs = new Map()

/** Reads a PDU. A delivery that cannot be read would not be better the next time: it is refused for good. */
function read(octets: Buffer, channel: Channel, events: ChannelEvents): void {
  const decoded = decodePdu(octets)
  if (decoded.ok) return take(decoded.pdu, channel, events)
  const { command, sequence, fault } = decoded
  events.onFault(fault)
  const isRequest = octets.readInt32BE(4) >= 0
  if (!isRequest) return
  if (command === 'deliver_sm' || command === 'data_sm') {
    channel.answer(`${command}_resp`, sequence, statuses.ESME_RX_P_APPN, { message_id: '' })
  } else {
    const status = command === null ? statuses.ESME_RINVCMDID : statuses.ESME_RINVMSGLEN
    channel.answer('generic_nack', sequence, status, {})
  }
}

function take(pdu: Pdu, { requests }: Channel, events: ChannelEvents): void {
  if (!isAnswer(pdu.command)) events.onRequest(pdu)
  else if (requests.answer(pdu)) events.onAnswered(pdu.command)
  else events.onFault(`${pdu.command} to no request`)
}

function isAnswer(command: PduCommand): boolean {
  return commands[command].id >= 0x80000000
}

/** Result of a request. */
export type PduResponse =
  | { readonly kind: 'ANSWERED'; readonly pdu: Pdu }
  /** No answer came in time, or the link ended before: perhaps it was taken. */
  | { readonly kind: 'UNANSWERED'; readonly reason: string }

/** The requests of a link that wait for their answers. */
export interface OpenRequests {
  readonly size: number
  /** Assigns a sequence number to a request; `onAnswer` is called once, never synchronously. */
  add(answeredBy: PduCommand, onAnswer: (answer: PduResponse) => void): number
  /**
   * Takes a response; returns false if no request expects it: a repetition, an unassigned number,
   * or the wrong command. A late response is taken too, and calls `onAnswer` a second time.
   */
  answer(pdu: Pdu): boolean
  /** Ends the waiting of all. */
  end(reason: string): void
}

/** Dependencies of open requests. */
export interface OpenRequestsOptions {
  readonly clock: Clock
  /** Timeout of a response, in milliseconds. */
  readonly timeoutMs: number
  /** Called when an answer did not come in time. */
  readonly onTimeout: () => void
}

/** The highest sequence number, section 3.2; it begins again at 1. */
const sequenceMax = 0x7fffffff

/** Number of timed-out requests to remember: a late response still carries information. */
const lateMax = 1000

interface Open {
  readonly answeredBy: PduCommand
  readonly onAnswer: (answer: PduResponse) => void
  readonly expiresAt: number
}

/** Makes a list of open requests. All wait equally long, so that one timer serves them. */
export function openRequests(options: OpenRequestsOptions): OpenRequests {
  const { clock, timeoutMs, onTimeout } = options
  const open = new Map<number, Open>()
  const late = new Map<number, Open>()
  let sequence = 0
  let cancel: (() => void) | null = null

  const arm = (): void => {
    const [first] = open.values()
    if (first === undefined || cancel !== null) return
    cancel = clock.after(first.expiresAt - clock.monotonic(), () => {
      cancel = null
      for (const [number, request] of takeExpired(open, clock.monotonic())) {
        remember(late, number, request)
        request.onAnswer({ kind: 'UNANSWERED', reason: `no answer within ${timeoutMs} ms` })
        onTimeout()
      }
      arm()
    })
  }

  return {
    get size() {
      return open.size
    },
    add: (answeredBy, onAnswer) => {
      do sequence = sequence === sequenceMax ? 1 : sequence + 1
      while (open.has(sequence) || late.has(sequence))
      open.set(sequence, { answeredBy, onAnswer, expiresAt: clock.monotonic() + timeoutMs })
      arm()
      return sequence
    },
    answer: (pdu) => {
      const request = open.get(pdu.sequence) ?? late.get(pdu.sequence)
      if (request === undefined) return false
      if (!isResponseTo(pdu.command, request.answeredBy)) return false
      open.delete(pdu.sequence)
      late.delete(pdu.sequence)
      request.onAnswer({ kind: 'ANSWERED', pdu })
      return true
    },
    end: (reason) => {
      cancel?.()
      late.clear()
      for (const [, { onAnswer }] of takeExpired(open, Infinity)) {
        onAnswer({ kind: 'UNANSWERED', reason })
      }
    },
  }
}

/**
 * Returns whether a command responds to a request with this sequence number. Some SMSCs respond to
 * each kind of bind with `bind_transmitter_resp`.
 */
function isResponseTo(command: PduCommand, answeredBy: PduCommand): boolean {
  return (
    command === answeredBy || command === 'generic_nack' || (isBind(command) && isBind(answeredBy))
  )
}

function isBind(command: PduCommand): boolean {
  return command.startsWith('bind_')
}

/** Takes out the requests whose time was over at `now`. */
function takeExpired(open: Map<number, Open>, now: number): readonly [number, Open][] {
  const expired: [number, Open][] = []
  for (const entry of open) {
    if (entry[1].expiresAt > now) break
    expired.push(entry)
    open.delete(entry[0])
  }
  return expired
}

function remember(late: Map<number, Open>, number: number, request: Open): void {
  const [oldest] = late.keys()
  if (late.size >= lateMax && oldest !== undefined) late.delete(oldest)
  late.set(number, request)
}
