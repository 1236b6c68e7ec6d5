import type {
  Carrier,
  CarrierGround,
  CarrierType,
  SubmitOutcome,
} from '../../core/ports/carrier.ts'
import type { JsonObject } from '../../core/json.ts'
import { carrierLinks, type CarrierLinks } from './session/carrier-links.ts'
import { deliveries, type Deliveries } from './deliveries.ts'
import { systemConnect, type Connect } from './session/connection.ts'
import { rateMeter, type RateMeter } from '../sent-parts.ts'
import {
  smppFields,
  withProfile,
  type DeclaredSmppSettings,
  type SmppSettings,
} from './settings.ts'
import { peerAccount, settingFaults } from './setting-faults.ts'
import { statusName } from './pdus/pdu.ts'
import { partWriter, smppScheme } from './pdus/submission.ts'
import { submitMeanings, submitMessages, type SmppSubmitMessage } from './submit-message.ts'
import { Throttle } from './session/throttle.ts'
import { sendQueue, type SendQueue } from './session/send-queue.ts'

/** Carrier type of links to an SMSC over SMPP 3.4, as an ESME. */
export function smppType(connect: Connect = systemConnect): CarrierType {
  return {
    type: 'SMPP',
    settings: smppFields,
    faults: (settings, hasRoutes) => settingFaults(resolved(settings), hasRoutes),
    partScheme: (settings) => smppScheme(resolved(settings)),
    peerAccount: (settings) => peerAccount(resolved(settings)),
    open: (id, settings, ground) => openSmpp({ id, ground, connect, settings: resolved(settings) }),
  }
}

/** They were read after the fields of the type, from which their type follows. */
function resolved(settings: JsonObject): SmppSettings {
  return withProfile(settings as unknown as DeclaredSmppSettings)
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
interface Parts {
  readonly meter: RateMeter
  readonly links: CarrierLinks
  readonly submit: SmppSubmitMessage
}

function openSmpp(given: Given): Carrier {
  const { id, settings } = given
  const { meter, links, submit } = makeParts(given)
  let incoming: Deliveries | null = null

  return {
    id,
    submit: settings.bind === 'RECEIVER' ? refuseSubmit : submit,
    start: async (report) => {
      incoming = deliveries({
        settings,
        report: (events) => report(id, events),
        log: given.ground.log,
        onFault: links.failed,
      })
      links.open(incoming.take)
    },
    condition: () => links.condition(meter.perSecond()),
    async [Symbol.asyncDispose]() {
      await links.close(graceMs)
      await incoming?.settled()
    },
  }

  /** A message can name a carrier that only receives. */
  async function refuseSubmit(): Promise<SubmitOutcome> {
    links.failed(`a message was refused: ${id} only receives`)
    return { kind: 'REJECTED', detail: 'NOT_SENT' }
  }
}

function makeParts({ id, settings, ground, connect }: Given): Parts {
  const { clock, random, newId, nationalLanguages = [], counts } = ground
  const meter = rateMeter(clock)
  const throttle = new Throttle(clock, random, () => counts?.throttled(id))
  const links = carrierLinks({ id, settings, ground, connect, onChange: () => queue.pass() })
  const queue: SendQueue = sendQueue({ clock, settings, throttle, links })
  const write = partWriter(settings, nationalLanguages)
  let reference = Math.floor(random.fraction() * 0x10000)
  // Rates and alerts need the usual responses before the first one.
  for (const status of [statusName(0), null]) counts?.submitted(id, status, 0)
  const submit = submitMessages({
    queue,
    throttle,
    meaningOf: submitMeanings(settings.statuses ?? []),
    newPartId: () => newId('part'),
    onSent: () => meter.count(),
    onAnswer: (status) => {
      counts?.submitted(id, status === null ? null : statusName(status))
    },
    onRefused: links.failed,
    partsOf: (message) => {
      reference = (reference + 1) & 0xffff
      return write(message, reference, clock.now())
    },
  })
  return { meter, links, submit }
}
