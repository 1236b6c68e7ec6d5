import { readCorrelation } from '../../core/correlation.ts'
import type { Tracing } from '../../core/tracing.ts'
import type { Transition } from './transitions.ts'

/** Records a status in the trace of its message. The request that created it has a span already. */
export function traceTransition(tracing: Tracing, { message, correlation }: Transition): void {
  const { id, status, carrier, networkCode } = message
  if (status.type === 'ACCEPTED') return
  const span = tracing.begin({
    name: `message ${status.type}`,
    kind: 'INTERNAL',
    parent: readCorrelation(correlation)?.traceparent ?? null,
    attributes: () => ({
      'messaging.message.id': id,
      'nuncio.status': status.id,
      'nuncio.carrier': carrier ?? '',
      'nuncio.network_code': networkCode ?? '',
    }),
  })
  span.end(undefined, status.type === 'FAILED' ? status.id : null)
}
