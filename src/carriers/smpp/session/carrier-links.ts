import type { CarrierCondition, CarrierGround } from '../../../core/ports/carrier.ts'
import type { Clock } from '../../../core/ports/clock.ts'
import type { Random } from '../../../core/ports/random.ts'
import { type Body, statusName } from '../pdus/pdu.ts'
import { encodePdu } from '../pdus/pdu-codec.ts'
import type { SmppSettings } from '../settings.ts'
import type { Connect } from './connection.ts'
import { openLink, type BindRole, type Link, type LinkOptions } from './link.ts'

/** The links of a carrier and the state of their binds. Each link reconnects. */
export interface CarrierLinks {
  /** Links that can submit; updated when a link binds or ends, because each part reads them. */
  readonly submitting: readonly Link[]
  /** Reason for which the caller should not wait for a link; null if waiting makes sense. */
  readonly downReason: string | null
  /** Opens all links. */
  open(onDelivery: LinkOptions['onDelivery']): void
  /** Something went wrong that leaves the links as they are. */
  failed(detail: string): void
  /** Returns the condition of the carrier, which submits so many parts per second. */
  condition(partsPerSecond: number): CarrierCondition
  /** Closes all links within `graceMs`. */
  close(graceMs: number): Promise<void>
}

/** Dependencies of a carrier's links. */
export interface CarrierLinkOptions {
  readonly id: string
  readonly settings: SmppSettings
  readonly ground: CarrierGround
  readonly connect: Connect
  /** Called when a link binds or ends, and when all are closed for good. */
  readonly onChange: () => void
}

/** Creates the links; none is open. */
export function carrierLinks(options: CarrierLinkOptions): CarrierLinks {
  const { settings, ground, onChange } = options
  const { window, bind } = settings
  const state = bindState(ground.clock, `connecting to ${settings.host}:${settings.port}`)
  const body = bindBody(settings)
  const kept: ReconnectingLink[] = []
  let submitting: readonly Link[] = []

  const update = (): void => {
    submitting = bound(kept).filter(({ role }) => role !== 'receiver')
    const isBound = bind === 'RECEIVER' ? bound(kept).length > 0 : submitting.length > 0
    state.bound(isBound, isBound ? missing(kept, bind) : null)
    onChange()
  }

  return {
    get submitting() {
      return submitting
    },
    get downReason() {
      return downReason(state.current)
    },
    open: (onDelivery) => {
      state.started()
      for (let each = 0; each < settings.binds; each += 1) {
        for (const role of roles[bind]) {
          kept.push(keepBound({ ...options, state, update, onDelivery, bind: body }, role))
        }
      }
    },
    failed: state.failed,
    condition: (partsPerSecond) => ({
      ...state.current,
      ...flowOver(bound(kept), window),
      partsPerSecond,
    }),
    close: async (graceMs) => {
      state.stopped()
      onChange()
      await Promise.all(kept.map((link) => link.close(graceMs)))
    },
  }
}

const roles: Readonly<Record<SmppSettings['bind'], readonly BindRole[]>> = {
  TRANSCEIVER: ['transceiver'],
  SEPARATE: ['transmitter', 'receiver'],
  TRANSMITTER: ['transmitter'],
  RECEIVER: ['receiver'],
}

function bound(kept: readonly ReconnectingLink[]): readonly Link[] {
  return kept.flatMap(({ link }) => (link !== null && link.isBound ? [link] : []))
}

/** Returns what a carrier that can submit lacks; null if nothing. */
function missing(kept: readonly ReconnectingLink[], bind: SmppSettings['bind']): string | null {
  const lacks = bind === 'SEPARATE' && bound(kept).every(({ role }) => role !== 'receiver')
  return lacks ? 'No receiver is bound: receipts and incoming messages wait at the SMSC.' : null
}

function flowOver(
  links: readonly Link[],
  window: number,
): Pick<CarrierCondition, 'inFlight' | 'links'> {
  const submitting = links.filter(({ role }) => role !== 'receiver')
  const inFlight = submitting.reduce((sum, link) => sum + link.inFlight, 0)
  return { inFlight, links: { bound: links.length, window: submitting.length * window } }
}

/** SMPP 3.4, section 5.2.4. */
const interfaceVersion = 0x34

/** The parameters of a bind. Throws where SMPP cannot carry one, so that it shows when it is set up. */
function bindBody(settings: SmppSettings): Body<'bind_transceiver'> {
  const body = {
    system_id: settings.systemId,
    password: settings.password ?? '',
    system_type: settings.systemType,
    interface_version: interfaceVersion,
    addr_ton: 0,
    addr_npi: 0,
    address_range: settings.addressRange,
  }
  encodePdu({ command: 'bind_transceiver', status: 0, sequence: 0, body, tlvs: new Map() })
  return body
}

/** One link after another. */
interface ReconnectingLink {
  /** The present link; null between two. */
  readonly link: Link | null
  /** Stops reconnecting, and closes the current link within `graceMs`. */
  close(graceMs: number): Promise<void>
}

/** What the links of a carrier have in common. */
interface Common extends CarrierLinkOptions, Pick<LinkOptions, 'bind' | 'onDelivery'> {
  readonly state: BindState
  readonly update: () => void
}

/** The first wait after a link that failed, and the longest; each doubles the one before. */
const backoffMsMin = 1000
const backoffMsMax = 60_000

/** Bound time after which a link counts as working, in milliseconds. */
const steadyMs = 10_000

/** Opens a link, and another one when it ends. */
function keepBound(common: Common, role: BindRole): ReconnectingLink {
  const { id, settings, connect, ground, bind, onDelivery, state, update } = common
  const { clock, random, log } = ground
  let link: Link | null = null
  let closed = false
  let failures = 0
  let boundAt: number | null = null
  let cancel = (): void => {}

  const onBound = (): void => {
    boundAt = clock.monotonic()
    log('info', 'bound to SMSC', { carrier: id, role })
    update()
  }
  const onOddity = (what: string): void => {
    state.failed(what)
    log('debug', 'SMSC did something odd', { carrier: id, what })
  }
  const onEnd = (reason: string, status: number | null): void => {
    // An SMSC may end each link after some messages: that is no failure.
    const worked = link?.hasProgressed === true || wasSteady(boundAt, clock)
    link = null
    failures = worked ? 0 : failures + 1
    if (!closed) cancel = clock.after(backoffMs(failures, random), open)
    if (state.current.state !== 'STOPPED') {
      const detail = status === null ? reason : `${reason}: ${statusName(status)}`
      log('warn', 'link to SMSC lost', { carrier: id, role, reason: detail })
      state.lost(detail)
    }
    update()
  }
  const open = (): void => {
    boundAt = null
    const events = { onBound, onDelivery, onOddity, onEnd }
    link = openLink({ connect, settings, clock, role, bind, ...events })
  }
  open()

  return {
    get link() {
      return link
    },
    close: async (graceMs) => {
      closed = true
      cancel()
      await link?.close(graceMs)
    },
  }
}

function wasSteady(boundAt: number | null, clock: Clock): boolean {
  return boundAt !== null && clock.monotonic() - boundAt >= steadyMs
}

/** Between a half of it and all of it, so that many do not come back at the same moment. */
function backoffMs(failures: number, random: Random): number {
  const wholeMs = Math.min(backoffMsMin * 2 ** Math.min(failures, 16), backoffMsMax)
  return wholeMs * (0.5 + random.fraction() / 2)
}

/** The part of a carrier's condition that its binds determine. */
type BindCondition = Pick<CarrierCondition, 'state' | 'stateReason' | 'since' | 'lastError'>

function downReason({ state, stateReason }: BindCondition): string | null {
  return state === 'DOWN' || state === 'STOPPED' ? (stateReason ?? state) : null
}

/** State of a carrier's binds. */
interface BindState {
  readonly current: BindCondition
  started(): void
  /** Records whether the carrier can work, and what it still lacks. */
  bound(isBound: boolean, lacking: string | null): void
  /** A link could not be bound, or was lost. */
  lost(detail: string): void
  /** Something went wrong that leaves the links as they are. */
  failed(detail: string): void
  stopped(): void
}

/** Maximum characters of a stored error. */
const detailMax = 500

/** Makes the state of a carrier that is not started yet. */
function bindState(clock: Clock, connecting: string): BindState {
  const current: { -readonly [K in keyof BindCondition]: BindCondition[K] } = {
    state: 'STOPPED',
    stateReason: 'it is not started',
    since: clock.now(),
    lastError: null,
  }

  const become = (next: BindCondition['state'], reason: string | null): void => {
    if (next !== current.state) current.since = clock.now()
    current.state = next
    current.stateReason = reason
  }
  const failed = (detail: string): void => {
    current.lastError = { at: clock.now(), detail: detail.slice(0, detailMax) }
  }

  return {
    current,
    started: () => become('CONNECTING', connecting),
    bound: (isBound, lacking) => {
      if (isBound) become('BOUND', lacking)
      else if (current.state === 'BOUND') become('CONNECTING', connecting)
    },
    lost: (detail) => {
      failed(detail)
      // One that was bound connects again; one that is lost before it was cannot be reached.
      if (current.state !== 'BOUND') become('DOWN', detail)
    },
    failed,
    stopped: () => become('STOPPED', 'it was stopped'),
  }
}
