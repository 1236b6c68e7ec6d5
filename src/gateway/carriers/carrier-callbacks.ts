import { defaultAccount } from '../../core/account.ts'
import type { ArrivingCallback, CallbackOutcome, TakeCallback } from '../../core/ports/callback.ts'
import type { CarrierType, ReportEvents } from '../../core/ports/carrier.ts'
import { isChosenId } from '../../core/id.ts'
import type { Log } from '../../core/ports/log.ts'
import type { Store, Stored } from '../../core/ports/store.ts'
import { carriers } from '../../collections/carriers.ts'
import { readCarrier } from './carriers.ts'

/** A function that accepts or refuses a callback for a carrier. Throws what the store throws. */
export type CarrierCallbacks = (
  carrier: string,
  callback: ArrivingCallback,
) => Promise<CallbackOutcome>

/** The dependencies of callbacks. */
export interface CarrierCallbackOptions {
  readonly store: Store
  readonly types: readonly CarrierType[]
  readonly log: Log
  readonly report: ReportEvents
  /** Called if a callback violates its carrier's protocol. */
  readonly onFault: (carrier: string, detail: string) => void
}

interface Known extends Pick<Stored, 'doc' | 'hidden'> {
  readonly take: TakeCallback | null
}

const refused: CallbackOutcome = { kind: 'REFUSED' }

/**
 * Creates the receiver of callbacks. It works for carriers that other nodes have open, since a
 * provider calls any node. An inactive carrier gets no callbacks.
 */
export function carrierCallbacks(options: CarrierCallbackOptions): CarrierCallbacks {
  const { store } = options
  const known = new Map<string, Known>()
  return async (id, callback) => {
    if (!isChosenId(id)) return refused
    const stored = await store.read(defaultAccount, (reader) => reader.find(carriers, { id }))
    if (stored === null) {
      known.delete(id)
      return refused
    }
    const before = known.get(id)
    const isAsBefore = before?.doc === stored.doc && before.hidden === stored.hidden
    const now = isAsBefore ? before : { ...stored, take: takerOf(id, stored, options) }
    if (!isAsBefore) known.set(id, now)
    return now.take === null ? refused : now.take(callback)
  }
}

function takerOf(
  id: string,
  stored: Stored,
  { types, log, report, onFault }: CarrierCallbackOptions,
): TakeCallback | null {
  const { instance, settings } = readCarrier(stored)
  const type = types.find((each) => each.type === instance.type)
  if (!instance.active || type?.receive === undefined) return null
  return type.receive(id, settings, {
    log,
    report: (events) => report(id, events),
    onFault: (detail) => onFault(id, detail),
  })
}
