import type { CarrierCondition } from '../../../core/ports/carrier.ts'
import type { Clock, Instant } from '../../../core/ports/clock.ts'

/** State of a carrier's binds. */
export interface BindState {
  readonly state: CarrierCondition['state']
  readonly stateReason: string | null
  readonly since: Instant
  readonly lastError: CarrierCondition['lastError']
  /** Reason for which the caller should not wait for it; null if waiting makes sense. */
  readonly downReason: string | null
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

/** Makes the standing of a carrier that is not started yet. */
export function standing(clock: Clock, connecting: string): BindState {
  let state: CarrierCondition['state'] = 'STOPPED'
  let stateReason: string | null = 'it is not started'
  let since = clock.now()
  let lastError: CarrierCondition['lastError'] = null

  const become = (next: CarrierCondition['state'], reason: string | null): void => {
    if (next !== state) since = clock.now()
    state = next
    stateReason = reason
  }
  const failed = (detail: string): void => {
    lastError = { at: clock.now(), detail: detail.slice(0, detailMax) }
  }

  return {
    get state() {
      return state
    },
    get stateReason() {
      return stateReason
    },
    get since() {
      return since
    },
    get lastError() {
      return lastError
    },
    get downReason() {
      return state === 'DOWN' || state === 'STOPPED' ? (stateReason ?? state) : null
    },
    started: () => become('CONNECTING', connecting),
    bound: (isBound, lacking) => {
      if (isBound) become('BOUND', lacking)
      else if (state === 'BOUND') become('CONNECTING', connecting)
    },
    lost: (detail) => {
      failed(detail)
      // One that was bound connects again; one that is lost before it was cannot be reached.
      if (state !== 'BOUND') become('DOWN', detail)
    },
    failed,
    stopped: () => become('STOPPED', 'it was stopped'),
  }
}
