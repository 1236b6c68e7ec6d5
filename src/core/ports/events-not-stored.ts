import type { CarrierEvent } from './carrier.ts'
import { StoreUnavailable } from './store.ts'

/** Some events of a report are not durable, since the server that they concern is unavailable; all others are. */
export class EventsNotStored extends StoreUnavailable {
  /** Must be reported again. */
  readonly events: ReadonlySet<CarrierEvent>

  constructor(events: ReadonlySet<CarrierEvent>, cause: unknown) {
    super(`${events.size} events could not be stored: ${String(cause)}`, { cause, isInPart: true })
    this.events = events
  }
}
