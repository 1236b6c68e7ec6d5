import type { Clock } from '../core/ports/clock.ts'
import type { Log, LogLevel } from '../core/ports/log.ts'
import { StoreUnavailable } from '../core/ports/store.ts'

type LogFields = Readonly<Record<string, unknown>>

/** Interval of checks for repetitions, and of lines that say that a fault continues, in milliseconds. */
const lookMs = 10_000
const continuesMs = 60_000

/** The event of the first line of a fault. */
const unavailable = 'store unavailable'

/** The most faults that are bundled at a time; more are logged as they come. */
const faultsMax = 20

/** A fault of the store that is in the log. */
interface KnownFault {
  repetitions: number
  /** Repetitions since the last look. */
  recent: number
  saidAt: number
}

/**
 * Bundles faults of the store: one that fails a thousand requests is one line, with the reason instead of a
 * stack. A line each minute counts repetitions while they continue, and one says that they ended. The level
 * debug shows each one.
 */
export function bundledLog(log: Log, clock: Clock): Log {
  const known = new Map<string, KnownFault>()

  const look = (level: LogLevel, reason: string, fault: KnownFault): void => {
    const { repetitions, recent, saidAt } = fault
    fault.recent = 0
    if (recent === 0) {
      known.delete(reason)
      if (repetitions > 0) log('info', 'store fault ended', { reason, repetitions })
      return
    }
    if (clock.monotonic() - saidAt >= continuesMs) {
      fault.saidAt = clock.monotonic()
      log(level, 'store fault continues', { reason, repetitions })
    }
    clock.after(lookMs, () => look(level, reason, fault))
  }

  return (level, event, fields = {}) => {
    const reason = reasonIn(event, fields)
    if (reason === null) return log(level, event, fields)
    const fault = known.get(reason)
    if (fault !== undefined) {
      fault.repetitions += 1
      fault.recent += 1
      return log('debug', event, fields)
    }
    const { error, ...others } = fields
    // Whatever fails first, operators and alerts know the fault by one name.
    if (error instanceof StoreUnavailable) {
      log(level, unavailable, { ...others, failed: event, reason })
    } else log(level, event, { ...others, reason })
    if (known.size >= faultsMax) return
    const added = { repetitions: 0, recent: 0, saidAt: clock.monotonic() }
    known.set(reason, added)
    clock.after(lookMs, () => look(level, reason, added))
  }
}

/** Returns why the store failed; null for an entry about anything else. */
function reasonIn(event: string, { error, reason, cause }: LogFields): string | null {
  if (error instanceof StoreUnavailable) return error.message
  if (event === unavailable && typeof reason === 'string') return reason
  return event === 'idle store connection failed' && typeof cause === 'string' ? cause : null
}
