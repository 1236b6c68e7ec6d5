import { fieldsOf } from '../../core/correlation.ts'
import type { Clock } from '../../core/ports/clock.ts'
import type { Log } from '../../core/ports/log.ts'
import type { ClientAddress } from '../access/client-address.ts'
import type { Observe } from './handle.ts'

/** Maximum length of a logged path, in characters. */
const pathLengthMax = 500

/**
 * Writes a line for each response. It lacks the query, which can have addresses, texts and the
 * tokens of callbacks; paths hold no secrets.
 */
export function accessLog(log: Log, clock: Clock, clientAddress: ClientAddress): Observe {
  return (request, correlation) => {
    const began = clock.monotonic()
    return (status) => {
      const [path = ''] = request.target.split('?', 1)
      log('info', 'request answered', {
        method: request.method,
        path: path.slice(0, pathLengthMax),
        status,
        durationMs: Math.round((clock.monotonic() - began) * 10) / 10,
        clientAddress: clientAddress(request),
        ...fieldsOf(correlation),
      })
    }
  }
}

/** Observes requests with each of several observers. */
export function observeAll(observers: readonly Observe[]): Observe {
  const [only] = observers
  if (only !== undefined && observers.length === 1) return only
  return (...begun) => {
    const ends = observers.map((observe) => observe(...begun))
    return (status) => {
      for (const end of ends) end(status)
    }
  }
}
