import { nextTurn } from '../../core/ports/clock.ts'
import type { CarrierEvent, IncomingEvent, IncomingPartEvent } from '../../core/ports/carrier.ts'
import type { Log } from '../../core/ports/log.ts'
import { EventsNotStored } from '../../core/ports/events-not-stored.ts'
import { StoreUnavailable } from '../../core/ports/store.ts'
import type { SmppDelivery } from './session/link.ts'
import { deliveryOctets, readReceipt } from './pdus/receipt.ts'
import type { SmppSettings } from './settings.ts'
import { statuses, tags, type Tlvs } from './pdus/pdu.ts'
import { decodeMessage } from '../../encoding/decode-message.ts'
import { noShifts } from '../../encoding/septets.ts'
import { readHeader, type UserDataHeader } from '../../encoding/user-data-header.ts'
import { readAddress } from './pdus/address.ts'

/** Takes in what an SMSC brings, and answers when it is durable. */
export interface Deliveries {
  take(delivery: SmppDelivery, answer: (status: number) => void): void
  /** Resolves after all received deliveries are answered. */
  settled(): Promise<void>
}

/** Dependencies of the delivery handler. */
export interface DeliveriesOptions {
  readonly settings: Pick<SmppSettings, 'receiptIds' | 'defaultCharset'>
  /** Makes events durable: all of them, or those that an `EventsNotStored` does not name, or none. */
  readonly report: (events: readonly CarrierEvent[]) => Promise<void>
  readonly log: Log
  /** Reports a fault for which the SMSC must repeat a delivery. */
  readonly onFault: (detail: string) => void
}

interface Entry {
  readonly event: CarrierEvent
  readonly answer: (status: number) => void
}

/** The most deliveries of one report: one commit has all of them, and others wait for it. */
const reportMax = 100

/** The most deliveries, from all links, that are being made durable. */
const reportingMax = 400

/** Makes what takes deliveries in. Those that come together are made durable together. */
export function deliveries({ settings, report, log, onFault }: DeliveriesOptions): Deliveries {
  const waiting: Entry[] = []
  let reporting = 0
  const running = new Set<Promise<void>>()

  const flush = (): void => {
    while (waiting.length > 0 && reporting < reportingMax) {
      const batch = waiting.splice(0, Math.min(reportMax, reportingMax - reporting))
      reporting += batch.length
      const run = bring(batch).finally(() => {
        running.delete(run)
        reporting -= batch.length
        // In a later turn: other clients come between two commits.
        if (waiting.length > 0) setImmediate(flush)
      })
      running.add(run)
    }
  }

  /** A faulty event must not delay the others. */
  const bring = async (batch: readonly Entry[]): Promise<void> => {
    try {
      await report(batch.map(({ event }) => event))
      for (const { answer } of batch) answer(statuses.ESME_ROK)
    } catch (error) {
      if (batch.length > 1 && !(error instanceof StoreUnavailable)) {
        for (const entry of batch) await bring([entry])
        return
      }
      log('error', 'deliveries not taken in', { error, count: batch.length })
      onFault(`deliveries could not be stored: ${String(error)}`)
      const isStored = (event: CarrierEvent): boolean =>
        error instanceof EventsNotStored && !error.events.has(event)
      for (const { event, answer } of batch) {
        answer(isStored(event) ? statuses.ESME_ROK : statuses.ESME_RX_T_APPN)
      }
    }
  }

  return {
    take: (delivery, answer) => {
      const event = eventOf(delivery, settings)
      if (event === null) return answer(statuses.ESME_ROK)
      // Run after the PDUs of one network read, and after submit responses: a receipt directly
      // after its
      // response then finds its part.
      if (waiting.length === 0) setImmediate(flush)
      waiting.push({ event, answer })
    },
    settled: async () => {
      while (waiting.length + running.size > 0) {
        if (waiting.length > 0) await nextTurn()
        await Promise.all(running)
      }
    },
  }
}

/** Returns null for deliveries that change nothing: receipts without an identifier. */
function eventOf(
  delivery: SmppDelivery,
  settings: Pick<SmppSettings, 'receiptIds' | 'defaultCharset'>,
): CarrierEvent | null {
  const receipt = readReceipt(delivery, settings.receiptIds)
  if (receipt === null) return readIncoming(delivery, settings)
  const { carrierMessageId, outcome, code } = receipt
  if (carrierMessageId === null) return null
  return { kind: 'RECEIPT', carrierMessageId, outcome, code }
}

/** Reads a message that came in, or the part of one. */
export function readIncoming(
  delivery: SmppDelivery,
  { defaultCharset }: Pick<SmppSettings, 'defaultCharset'>,
): IncomingEvent | IncomingPartEvent {
  const { body, tlvs } = delivery
  const userData = deliveryOctets(delivery)
  const header = (body.esm_class & headerIndicator) === 0 ? null : readHeader(userData)
  const { locking, single } = header ?? noShifts
  const octets = header === null ? userData : header.rest
  const dataCoding = body.data_coding
  const whole = {
    from: readAddress(body.source_addr, body.source_addr_ton),
    to: readAddress(body.destination_addr, body.dest_addr_ton),
    protocolId: 'protocol_id' in body ? body.protocol_id : 0,
  }

  const place = placeIn(header, tlvs)
  if (place !== null) {
    const content = { dataCoding, defaultCharset, locking, single, octets: octets.toHex() }
    return { kind: 'INCOMING_PART', ...whole, ...place, content }
  }
  const part = { dataCoding, shifts: { locking, single }, octets }
  const { encoding, body: text, messageClass } = decodeMessage([part], defaultCharset)
  return {
    kind: 'INCOMING',
    ...whole,
    body: text,
    encoding,
    messageClass: messageClass ?? defaultClass,
    numberOfParts: 1,
    repliesTo: null,
  }
}

const headerIndicator = 0x40

/** Class that a handset assumes by default. */
const defaultClass = 1

type Place = Pick<IncomingPartEvent, 'reference' | 'total' | 'part'>

/**
 * Returns message reference and part number from the header or the TLVs; null for a single-part
 * message.
 */
function placeIn(header: UserDataHeader | null, tlvs: Tlvs): Place | null {
  const concatenation = header?.concatenation ?? null
  if (concatenation !== null) {
    const { reference, total, sequence, bits } = concatenation
    return total > 1 ? { reference: `udh${bits}-${reference}`, total, part: sequence } : null
  }
  const [high, low] = tlvs.get(tags.sarReference) ?? []
  const total = tlvs.get(tags.sarTotal)?.[0] ?? 0
  const part = tlvs.get(tags.sarPart)?.[0] ?? 0
  if (high === undefined || low === undefined) return null
  if (total < 2 || part < 1 || part > total) return null
  return { reference: `sar-${high * 256 + low}`, total, part }
}
