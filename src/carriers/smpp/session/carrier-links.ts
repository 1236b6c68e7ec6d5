import type { CarrierCondition, CarrierGround } from '../../../core/ports/carrier.ts'
import { encodePdu } from '../pdus/encode-pdu.ts'
import type { Body } from '../pdus/pdu.ts'
import { statusName } from '../pdus/statuses.ts'
import type { SmppSettings } from '../settings.ts'
import type { BindState } from './bind-state.ts'
import type { BindRole, Link, LinkOptions } from './link.ts'
import type { Connect } from './network.ts'
import { keepBound, type ReconnectingLink } from './reconnecting-link.ts'

/** The links of a carrier. Each one reconnects. */
export interface CarrierLinks {
  /** Links that can submit; updated when a link binds or ends, because each part reads them. */
  readonly submitting: readonly Link[]
  /** Opens all links. */
  open(onDelivery: LinkOptions['onDelivery']): void
  /** Returns the parts in flight, the bound links and their windows. */
  flow(): Pick<CarrierCondition, 'inFlight' | 'links'>
  /** Closes all links within `graceMs`. */
  close(graceMs: number): Promise<void>
}

/** Dependencies of a carrier's links. */
export interface CarrierLinkOptions {
  readonly id: string
  readonly settings: SmppSettings
  readonly ground: CarrierGround
  readonly connect: Connect
  readonly stands: BindState
  /** Called when a link binds or ends. */
  readonly onChange: () => void
}

/** Creates the links; none is open. */
export function carrierLinks(options: CarrierLinkOptions): CarrierLinks {
  const { settings, stands, onChange } = options
  const kept: ReconnectingLink[] = []
  const body = bindBody(settings)
  let submitting: readonly Link[] = []

  const update = (): void => {
    submitting = bound(kept).filter(({ role }) => role !== 'receiver')
    const isBound = settings.bind === 'RECEIVER' ? bound(kept).length > 0 : submitting.length > 0
    stands.bound(isBound, isBound ? missing(kept, settings.bind) : null)
    onChange()
  }

  return {
    get submitting() {
      return submitting
    },
    open: (onDelivery) => {
      for (let bind = 0; bind < settings.binds; bind += 1) {
        for (const role of roles[settings.bind]) {
          kept.push(keepBound({ ...linkOptions(options, role, update), bind: body, onDelivery }))
        }
      }
    },
    flow: () => flowOver(bound(kept), settings.window),
    close: async (graceMs) => {
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

function linkOptions(
  { id, settings, ground, connect, stands }: CarrierLinkOptions,
  role: BindRole,
  update: () => void,
) {
  const { host, port, tls, tlsAuthority: authority } = settings
  const { clock, random, log } = ground
  return {
    connect,
    target: { host, port, tls, authority },
    clock,
    random,
    role,
    responseTimeoutMs: settings.responseTimeoutMs,
    enquireLinkMs: settings.enquireLinkMs,
    onBound: () => {
      log('info', 'bound to SMSC', { carrier: id, role })
      update()
    },
    onOddity: (what: string) => {
      stands.failed(what)
      log('debug', 'SMSC did something odd', { carrier: id, what })
    },
    onLost: (reason: string, status: number | null) => {
      const detail = status === null ? reason : `${reason}: ${statusName(status)}`
      if (stands.state !== 'STOPPED') {
        log('warn', 'link to SMSC lost', { carrier: id, role, reason: detail })
        stands.lost(detail)
      }
      update()
    },
  }
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
