import { correlationFields } from '../../core/correlation.ts'
import type { Log } from '../../core/ports/log.ts'
import type { ObserveTransition } from './transitions.ts'

/** Logs each status that a message takes. */
export function transitionLog(log: Log): ObserveTransition {
  return ({ message: { id, status, carrier, networkCode }, correlation }) =>
    log('debug', 'message status changed', {
      messageId: id,
      status: status.id,
      carrier,
      ...(networkCode === null ? {} : { networkCode }),
      ...correlationFields(correlation),
    })
}
