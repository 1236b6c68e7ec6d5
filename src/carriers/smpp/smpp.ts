import type {
  Carrier,
  CarrierCondition,
  CarrierGround,
  CarrierType,
  ReportEvents,
} from '../../core/ports/carrier.ts'
import type { JsonObject } from '../../core/json.ts'
import { keepBerth, type ReconnectingLink } from './session/reconnecting-link.ts'
import { bindBody } from './pdus/bind-body.ts'
import { deliveries, type Deliveries } from './deliveries.ts'
import type { Link, LinkOptions, BindRole } from './session/link.ts'
import { systemConnect, type Connect } from './session/network.ts'
import { rateMeter, type RateMeter } from '../rate-meter.ts'
import { rate } from './session/rate.ts'
import { smppFields, type SmppSettings } from './settings.ts'
import { standing, type BindState } from './session/bind-state.ts'
import { statusName } from './pdus/statuses.ts'
import { submittedParts } from './pdus/submission.ts'
import { submitMessages, type SmppSubmitMessage } from './submit-message.ts'
import { submitMeanings } from './pdus/submit-status.ts'
import { throttle } from './session/throttle.ts'
import { turns, type SendQueue } from './session/send-queue.ts'

/** A link to an SMSC over SMPP 3.4, as an ESME. */
export const smpp: CarrierType = smppOver(systemConnect)

/** SMPP over a network of the caller's. */
export function smppOver(connect: Connect): CarrierType {
  return {
    type: 'SMPP',
    settings: smppFields,
    // They were read after the fields above, from which their type follows.
    open: (id, settings: JsonObject, ground) =>
      openSmpp({ id, ground, connect, settings: settings as unknown as SmppSettings }),
  }
}

/** Time for responses and unbinding when the carrier is disposed, in milliseconds. */
const graceMs = 5000

/** Parameters for opening an SMPP carrier. */
interface Given {
  readonly id: string
  readonly settings: SmppSettings
  readonly ground: CarrierGround
  readonly connect: Connect
}

/** Parts of an SMPP carrier. */
interface Parts extends Given {
  readonly bind: LinkOptions['bind']
  readonly stands: BindState
  readonly meter: RateMeter
  readonly line: SendQueue
  readonly berths: ReconnectingLink[]
  /** Links that can submit; updated when a link binds or ends, because each part reads them. */
  readonly links: { submitting: readonly Link[] }
  readonly submit: SmppSubmitMessage
}

function openSmpp(given: Given): Carrier {
  const parts = makeParts(given)
  const { stands, meter, berths, line } = parts
  let incoming: Deliveries | null = null

  return {
    id: given.id,
    submit: parts.submit,
    start: async (report) => {
      incoming = start(parts, report)
    },
    condition: () => ({
      state: stands.state,
      stateReason: stands.stateReason,
      since: stands.since,
      ...flowOver(berths, given.settings.window),
      partsPerSecond: meter.perSecond(),
      lastError: stands.lastError,
    }),
    async [Symbol.asyncDispose]() {
      stands.stopped()
      line.pass()
      await Promise.all(berths.map((berth) => berth.close(graceMs)))
      await incoming?.settled()
    },
  }
}

function makeParts(given: Given): Parts {
  const { settings, ground } = given
  const { clock, random, newId, nationalLanguages = [], counts } = ground
  const stands = standing(clock, `connecting to ${settings.host}:${settings.port}`)
  const meter = rateMeter(clock)
  const slows = throttle(settings.window * settings.binds, clock, random, () =>
    counts?.throttled(given.id),
  )
  const berths: ReconnectingLink[] = []
  const links: Parts['links'] = { submitting: [] }
  const line = turns({
    clock,
    rate: rate(settings.partsPerSecond ?? 0, clock),
    throttle: slows,
    window: settings.window,
    links: () => links.submitting,
    downReason: () => stands.downReason,
  })
  let reference = Math.floor(random.fraction() * 0x10000)
  const submit = submitMessages({
    turns: line,
    throttle: slows,
    meaningOf: submitMeanings(settings.statuses ?? []),
    newPartId: () => newId('part'),
    onSent: () => meter.count(),
    onAnswer: (status) => {
      counts?.submitted(given.id, status === null ? 'UNANSWERED' : statusName(status))
    },
    onRefused: stands.failed,
    partsOf: (message) => {
      reference = (reference + 1) & 0xffff
      return submittedParts(message, reference, settings, nationalLanguages)
    },
  })
  return { ...given, bind: bindBody(settings), stands, meter, line, berths, links, submit }
}

function start(parts: Parts, report: ReportEvents): Deliveries {
  const { id, settings, ground, stands, berths } = parts
  const incoming = deliveries({
    settings,
    report: (events) => report(id, events),
    log: ground.log,
    onFault: stands.failed,
  })
  stands.started()
  const roles: readonly BindRole[] =
    settings.bind === 'SEPARATE' ? ['transmitter', 'receiver'] : ['transceiver']
  for (let bind = 0; bind < settings.binds; bind += 1) {
    for (const role of roles) berths.push(keep(parts, role, incoming))
  }
  return incoming
}

function keep(parts: Parts, role: BindRole, incoming: Deliveries): ReconnectingLink {
  const { id, settings, ground, connect, stands, bind } = parts
  const { host, port, tls, tlsAuthority: authority } = settings
  const { clock, random, log } = ground
  const update = (): void => {
    parts.links.submitting = submitters(parts.berths)
    stands.bound(isBound(parts))
    parts.line.pass()
  }
  return keepBerth({
    connect,
    target: { host, port, tls, authority },
    clock,
    random,
    role,
    bind,
    responseTimeoutMs: settings.responseTimeoutMs,
    enquireLinkMs: settings.enquireLinkMs,
    onBound: () => {
      log('info', 'bound to SMSC', { carrier: id, role })
      update()
    },
    onDelivery: incoming.take,
    onOddity: (what) => {
      stands.failed(what)
      log('debug', 'SMSC did something odd', { carrier: id, what })
    },
    onLost: (reason, status) => {
      const detail = status === null ? reason : `${reason}: ${statusName(status)}`
      if (stands.state !== 'STOPPED') {
        log('warn', 'link to SMSC lost', { carrier: id, role, reason: detail })
        stands.lost(detail)
      }
      update()
    },
  })
}

/** Something is bound that can submit, and something that can be delivered to. */
function isBound({ berths }: Parts): boolean {
  const bound = berths.flatMap(({ link }) => (link?.isBound ? [link.role] : []))
  const has = (role: BindRole): boolean => bound.includes('transceiver') || bound.includes(role)
  return has('transmitter') && has('receiver')
}

/** Returns the parts in flight, by link. */
function flowOver(
  berths: readonly ReconnectingLink[],
  window: number,
): Pick<CarrierCondition, 'inFlight' | 'links'> {
  let [inFlight, bound, submitting] = [0, 0, 0]
  for (const { link } of berths) {
    if (link?.isBound !== true) continue
    bound += 1
    if (link.role === 'receiver') continue
    submitting += 1
    inFlight += link.inFlight
  }
  return { inFlight, links: { bound, window: submitting * window } }
}

function submitters(berths: readonly ReconnectingLink[]): readonly Link[] {
  return berths.flatMap(({ link }) =>
    link !== null && link.isBound && link.role !== 'receiver' ? [link] : [],
  )
}
