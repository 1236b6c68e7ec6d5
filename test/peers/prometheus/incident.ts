import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { startIncident, type IncidentService } from './incident-service.ts'
import { fetchPrometheus } from './promtool.ts'
import { startPrometheus, type PrometheusServer } from './server.ts'

// Replays an incident: the provider of a carrier refuses connections, a webhook responds with 500, then PostgreSQL is
// away. Prints the alerts of a real Prometheus with the values of panels, the log and the trace of one message. It
// takes about 20 minutes, since alerts wait. Fails if an alert does not fire or end, or if something is lost.

const { values } = parseArgs({ options: { minutes: { type: 'string', default: '20' } } })
const minutesMax = Number(values.minutes)
const monitoring = join(import.meta.dirname, '../../../deploy/monitoring')

const found = await fetchPrometheus()
if ('lacking' in found) {
  console.error(`NOT REPLAYED: ${found.lacking}`)
  process.exit(1)
}
const opened = new AsyncDisposableStack()
try {
  const incident = opened.use(await startIncident())
  const rules = join(monitoring, 'alerts.yaml')
  const prometheus = opened.use(await startPrometheus(found.server, incident.url, rules))
  await replay(incident, prometheus)
} finally {
  await opened.disposeAsync()
}

/** A fault with its alert, and the panels that show it. */
interface Fault {
  readonly name: string
  readonly alert: string
  readonly panels: readonly string[]
  /** Time after the alert until the fault ends. */
  readonly holdSeconds: number
  set(isAway: boolean): void
}

async function replay(incident: IncidentService, prometheus: PrometheusServer): Promise<void> {
  const fault = (
    name: string,
    alert: string,
    holdSeconds: number,
    panels: readonly string[],
    set: (isAway: boolean) => void,
  ): Fault => ({ name, alert, holdSeconds, panels, set })
  const carrier = fault(
    'carrier',
    'NuncioCarrierDown',
    30,
    ['Carriers by state', 'Messages that wait', 'Age of the oldest message that waits'],
    (isAway) => incident.provider.set(isAway ? 'REFUSING' : 'PASSING'),
  )
  const webhook = fault(
    'webhook',
    'NuncioNotificationsWait',
    5,
    ['Webhooks by state', 'Notifications that wait', 'Attempts by outcome'],
    (isAway) => incident.refuseAtWebhook(isAway),
  )
  const postgres = fault('PostgreSQL', 'NuncioStoreAway', 30, ['Requests by status'], (isAway) =>
    incident.postgres.set(isAway ? 'REFUSING' : 'PASSING'),
  )

  await wait(15_000)
  const ofCarrier = suffered(carrier, prometheus)
  const ofWebhook = suffered(webhook, prometheus)
  await incident.sendTraced()
  const lines = [await ofCarrier, await ofWebhook, await suffered(postgres, prometheus)]
  await wait(10_000)

  const lost = await incident.lost()
  console.log('| fault | alert | panels when it fires |\n|---|---|---|')
  for (const line of lines) console.log(line)
  console.log('\nThe log of the message:')
  for (const line of incident.linesOfTraced()) console.log(line)
  console.log('\nLines about PostgreSQL:')
  for (const line of incident.linesOfStore()) console.log(line)
  console.log('\nThe trace of the message:')
  for (const span of incident.spansOfTraced()) console.log(span)
  console.log(`\n${incident.accepted()} messages were accepted, ${lost} are lost.`)
  if (lost > 0) process.exitCode = 1
}

/** Lets a fault last until its alert fires, ends the fault, and waits for the end of the alert. */
async function suffered(fault: Fault, prometheus: PrometheusServer): Promise<string> {
  const { name, alert, panels, holdSeconds } = fault
  const began = performance.now()
  fault.set(true)
  const fires = await until(began, async () => (await prometheus.firing()).includes(alert))
  await wait(holdSeconds * 1_000)
  const shown = await Promise.all(panels.map((panel) => valuesOf(panel, prometheus)))
  fault.set(false)
  const returned = performance.now()
  const ends = await until(returned, async () => !(await prometheus.firing()).includes(alert))
  const when = `fires after ${fires}, ends ${ends} after the return`
  return `| ${name} | \`${alert}\` ${when} | ${shown.join('; ')} |`
}

/** Waits for a condition; returns the seconds since a time, or that it did not become true. */
async function until(since: number, isTrue: () => Promise<boolean>): Promise<string> {
  while (!(await isTrue())) {
    if (performance.now() - since > minutesMax * 60_000) {
      process.exitCode = 1
      return `NOT WITHIN ${minutesMax} min`
    }
    await wait(1_000)
  }
  return `${Math.round((performance.now() - since) / 1_000)} s`
}

/** Asks for the values of a panel, by the queries of the dashboard. */
async function valuesOf(title: string, prometheus: PrometheusServer): Promise<string> {
  const { panels } = JSON.parse(readFileSync(join(monitoring, 'dashboard.json'), 'utf8')) as {
    readonly panels: readonly {
      readonly title: string
      readonly targets?: readonly { readonly expr: string }[]
    }[]
  }
  const [target] = panels.find((panel) => panel.title === title)?.targets ?? []
  if (target === undefined) throw new Error(`The dashboard has no panel "${title}"`)
  const series = await prometheus.series(target.expr.replaceAll('$__rate_interval', '30s'))
  const shown = series
    .filter(({ value }) => value !== 0)
    .map(({ labels, value }) => [...Object.values(labels), Number(value.toPrecision(2))].join(' '))
  return `${title}: ${shown.join(', ')}`
}
