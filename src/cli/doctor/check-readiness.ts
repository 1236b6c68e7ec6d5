import type { Config } from '../../config/config.ts'
import { networkReason } from '../failure-text.ts'
import { printable } from '../printable.ts'
import type { ProcessContext } from '../process-context.ts'
import { ok, problem, skipped, type Finding } from './finding.ts'

const timeoutMs = 15_000

/** Signatures of webhooks hold for five minutes; a difference of seconds already confuses logs. */
const skewMsMax = 5_000

/** The precision of the header field Date. */
const dateMs = 1_000

/** Returns the address at which this machine reaches a service of the configuration. */
export function urlOf({ host, port }: Config): string {
  // The addresses that mean "all of this machine".
  const name = { '0.0.0.0': '127.0.0.1', '::': '::1' }[host] ?? host
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`
}

/** Asks a service if it is ready, and compares the clocks. */
export async function checkReadiness(
  url: string,
  { fetch, clock }: Pick<ProcessContext, 'fetch' | 'clock'>,
): Promise<readonly [Finding, ...Finding[]]> {
  const late = new AbortController()
  const cancel = clock.after(timeoutMs, () => late.abort(new Error('timeout')))
  try {
    const before = clock.now()
    const response = await fetch(`${url}/health/ready`, { signal: late.signal, redirect: 'manual' })
    const finding = readiness(url, response.status, await response.text())
    const date = Date.parse(response.headers.get('date') ?? '')
    if (finding.result !== 'OK' || Number.isNaN(date)) {
      return [finding, skipped('clocks', 'The service has to be ready first.')]
    }
    return [finding, clockFinding(before, date, clock.now())]
  } catch (error) {
    return [
      problem(
        'service',
        `No service answers at ${url} (${printable(networkReason(error))}).`,
        'Start it with "nuncio serve", or name another with --service or NUNCIO_SERVICE.',
      ),
      skipped('clocks', 'The service has to be ready first.'),
    ]
  } finally {
    cancel()
  }
}

function readiness(url: string, status: number, body: string): Finding {
  if (status === 200 && body.includes('"ready"')) return ok('service', `${url} is ready.`)
  if (status === 503) {
    const state = /"status":"([\w -]+)"/.exec(body)?.[1] ?? 'status 503'
    return problem('service', `${url} is not ready: ${state}.`, 'Read its log for the reason.')
  }
  const remedy = 'Name the service with --service or NUNCIO_SERVICE.'
  return problem('service', `What answers at ${url} is not Nuncio (status ${status}).`, remedy)
}

function clockFinding(before: number, date: number, after: number): Finding {
  const aheadMs = date + dateMs < before ? before - date : date > after ? after - date : 0
  const seconds = Math.round(Math.abs(aheadMs) / 1_000)
  if (Math.abs(aheadMs) <= skewMsMax)
    return ok('clocks', `The service's clock agrees with this machine's.`)
  const side = aheadMs > 0 ? 'ahead of' : 'behind'
  return problem(
    'clocks',
    `This machine's clock is ${seconds} s ${side} the service's.`,
    'Synchronize both by NTP.',
  )
}
