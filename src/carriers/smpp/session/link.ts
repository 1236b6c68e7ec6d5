import type { Clock } from '../../../core/ports/clock.ts'
import { type Body, type Pdu, type PduOf, statuses } from '../pdus/pdu.ts'
import type { SubmittedPart } from '../pdus/submission.ts'
import { openChannel, type Channel, type ChannelOptions, type PduResponse } from './channel.ts'

/** Role of a bind: submit, receive, or both. */
export type BindRole = 'transmitter' | 'receiver' | 'transceiver'

/** A request of the SMSC that brings something: a receipt or a message. */
export type SmppDelivery = PduOf<'deliver_sm'> | PduOf<'data_sm'>

/** Dependencies of a link. `responseTimeoutMs` is also the limit of connecting and binding together. */
export interface LinkOptions extends ChannelOptions {
  readonly role: BindRole
  readonly bind: Body<'bind_transceiver'>
  readonly onBound: () => void
  /** Is given what the SMSC brings, to be answered once with a `command_status`. */
  readonly onDelivery: (delivery: SmppDelivery, answer: (status: number) => void) => void
  /** The SMSC did what it should not, and it was put up with. */
  readonly onOddity: (what: string) => void
  /** Comes once. `status` is that of a refused bind, else null. */
  readonly onEnd: (reason: string, status: number | null) => void
}

/** A connection to an SMSC that is bound, or on its way there. */
export interface Link {
  readonly role: BindRole
  /** True if the link can send requests. */
  readonly isBound: boolean
  /** Submissions that wait for their answers. */
  readonly inFlight: number
  /** True after the first response to a submission: the SMSC works, even if it ends the link soon. */
  readonly hasProgressed: boolean
  /** Sends a part. `onAnswer` is called a second time by an answer that came too late. */
  submit(part: SubmittedPart, onAnswer: (answer: PduResponse) => void): void
  /** Unbinds and closes the link within `graceMs`. Requests in flight may be answered until then. */
  close(graceMs: number): Promise<void>
}

/** Time for the SMSC to close a connection that it unbound, in milliseconds. */
const leaveMs = 5000

/** State of a link and its parts. */
interface Parts {
  readonly options: LinkOptions
  readonly channel: Channel
  readonly timers: Timers
  state: 'OPENING' | 'BOUND' | 'LEAVING' | 'ENDED'
  refusedWith: number | null
  hasProgressed: boolean
  /** An enquire_link is on its way. */
  asking: boolean
  onClosed: () => void
}

/** Opens a link: connects, binds, and keeps it alive until either side ends it. */
export function openLink(options: LinkOptions): Link {
  const { clock, role } = options
  const { responseTimeoutMs } = options.settings
  const link: Parts = {
    options,
    channel: openChannel(options, {
      onOpen: () => bind(link),
      onRequest: (pdu) => take(link, pdu),
      onAnswered: (command) => {
        if (command === 'submit_sm_resp') link.hasProgressed = true
      },
      onTimeout: () => ask(link),
      onFault: options.onOddity,
      onEnd: (reason) => ended(link, reason),
    }),
    timers: timers(clock),
    state: 'OPENING',
    refusedWith: null,
    hasProgressed: false,
    asking: false,
    onClosed: () => {},
  }
  link.timers.after(responseTimeoutMs, () => {
    if (link.state === 'OPENING') link.channel.end(`not bound within ${responseTimeoutMs} ms`)
  })

  return {
    role,
    get isBound() {
      return link.state === 'BOUND'
    },
    get inFlight() {
      return link.channel.requests.size
    },
    get hasProgressed() {
      return link.hasProgressed
    },
    submit: (part, onAnswer) => link.channel.submit(part, onAnswer),
    close: (graceMs) => close(link, graceMs),
  }
}

function bind(link: Parts): void {
  const { role, bind: body, settings, onBound, onOddity } = link.options
  link.channel.request(`bind_${role}`, body, (answer) => {
    if (answer.kind === 'UNANSWERED') return link.channel.end(answer.reason)
    if (link.state !== 'OPENING') return
    const { command, status } = answer.pdu
    if (command !== `bind_${role}_resp`) onOddity(`${command} to bind_${role}`)
    if (status !== 0 || command === 'generic_nack') {
      link.refusedWith = status
      return link.channel.end('the SMSC refused the bind')
    }
    link.state = 'BOUND'
    link.timers.after(settings.enquireLinkMs, () => watch(link))
    onBound()
  })
}

/** Sends enquire_link to a silent SMSC. */
function watch(link: Parts): void {
  const { clock, settings } = link.options
  const { enquireLinkMs } = settings
  const silentMs = clock.monotonic() - link.channel.heardAtMs
  const isSilent = silentMs >= enquireLinkMs
  if (isSilent) ask(link)
  link.timers.after(isSilent ? enquireLinkMs : enquireLinkMs - silentMs, () => watch(link))
}

/** While the socket is not read, a response would be missed. */
function ask(link: Parts): void {
  const isOn = link.state === 'BOUND' || link.state === 'LEAVING'
  if (link.asking || !isOn || link.channel.gate.isShut) return
  link.asking = true
  link.channel.request('enquire_link', {}, ({ kind }) => {
    link.asking = false
    if (kind === 'UNANSWERED' && !link.channel.gate.isShut) {
      link.channel.end('the SMSC did not answer enquire_link')
    }
  })
}

function take(link: Parts, pdu: Pdu): void {
  const { channel, options } = link
  switch (pdu.command) {
    case 'enquire_link':
      return channel.answer('enquire_link_resp', pdu.sequence, statuses.ESME_ROK, {})
    case 'deliver_sm':
    case 'data_sm':
      return deliver(link, pdu)
    case 'unbind':
      channel.answer('unbind_resp', pdu.sequence, statuses.ESME_ROK, {})
      return leave(link, leaveMs, 'the SMSC unbound')
    case 'alert_notification':
    case 'outbind':
      return
    default:
      options.onOddity(`${pdu.command} from an SMSC`)
      channel.answer('generic_nack', pdu.sequence, statuses.ESME_RINVCMDID, {})
  }
}

function deliver({ state, channel, options }: Parts, delivery: SmppDelivery): void {
  const { command, sequence } = delivery
  const answer = (status: number): void =>
    channel.answer(`${command}_resp`, sequence, status, { message_id: '' })
  if (state === 'OPENING') return answer(statuses.ESME_RINVBNDSTS)
  channel.gate.enter()
  options.onDelivery(delivery, (status) => {
    answer(status)
    channel.gate.leave()
  })
}

/** Begins nothing more; ends when the SMSC closes, or after a while. */
function leave(link: Parts, graceMs: number, reason: string): void {
  if (link.state !== 'BOUND') return link.channel.end(reason)
  link.state = 'LEAVING'
  link.timers.after(graceMs, () => link.channel.end(reason))
}

function close(link: Parts, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    if (link.state === 'ENDED') return resolve()
    link.onClosed = resolve
    const wasBound = link.state === 'BOUND'
    leave(link, graceMs, 'unbound')
    if (!wasBound) return
    link.channel.request('unbind', {}, () => link.channel.end('unbound'))
  })
}

function ended(link: Parts, reason: string): void {
  link.state = 'ENDED'
  link.timers.end()
  link.channel.requests.end(reason)
  link.options.onEnd(reason, link.refusedWith)
  link.onClosed()
}

/** Timers that end together. */
interface Timers {
  after(delayMs: number, wake: () => void): void
  /** Calls all of them off. */
  end(): void
}

/** Makes an empty set of timers. */
function timers(clock: Clock): Timers {
  const running = new Set<() => void>()
  let ended = false
  return {
    after: (delayMs, wake) => {
      if (ended) return
      const cancel = clock.after(delayMs, () => {
        running.delete(cancel)
        wake()
      })
      running.add(cancel)
    },
    end: () => {
      ended = true
      for (const cancel of running) cancel()
      running.clear()
    },
  }
}
