import { type Outcome, row } from '../outcome.ts'
import { ask, askedFrom, cpuMicros, memoryOf, start } from '../processes.ts'
import type { Journey, JourneyResult } from '../programs/journey.ts'
import { headers, posted, startService } from '../subjects/nuncio.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** What the way of a message is measured with. */
export interface JourneyPlan {
  readonly rounds: number
  /** Messages a second that are offered, and for how long. */
  readonly perSecond: number
  readonly seconds: number
  /** So many go before in the same way, unmeasured. */
  readonly warmUp: number
}

/**
 * Accepted, submitted over the simulator, receipted, notified: at a steady rate, and as fast as
 * messages are accepted. Each round has a service and a store of its own.
 */
export async function journey(plan: JourneyPlan): Promise<Outcome[]> {
  const { rounds, perSecond, seconds } = plan
  const steady: Traveled[] = []
  const burst: Traveled[] = []
  for (let round = 0; round < rounds; round += 1) {
    steady.push(await travel(plan, perSecond, perSecond * seconds))
    burst.push(await travel(plan, 0, perSecond * Math.min(seconds, 10)))
  }
  const lost = [...steady, ...burst].reduce((sum, { missing }) => sum + missing, 0)
  const refused = [...steady, ...burst].reduce((sum, one) => sum + one.refused, 0)
  const offered = `${perSecond.toLocaleString('en')} messages/s offered for ${seconds} s`
  const notes = [`${lost} of all messages were never notified, ${refused} were not accepted.`]
  const one = (
    work: string,
    title: string,
    unit: string,
    value: (found: Traveled) => number,
    of: readonly Traveled[] = steady,
  ): Outcome => ({
    work,
    title,
    unit,
    isLessBetter: unit !== 'messages/s',
    rows: [{ ...row('Nuncio', 'ours', of.map(value)), cpuMicros: of.flatMap(({ cpu }) => cpu) }],
    notes,
  })
  return [
    one('journey-rate', `Accepted to notified, ${offered}`, 'messages/s', (f) => f.arrived),
    one('journey-p50', `Accepted to notified, p50, ${offered}`, 'ms', (f) => f.p50Ms),
    one('journey-p99', `Accepted to notified, p99, ${offered}`, 'ms', (f) => f.p99Ms),
    one('journey-backlog', `Growth of the backlog, ${offered}`, 'messages/s', ({ backlog }) =>
      growthOf(backlog.slice(0, seconds)),
    ),
    one(
      'journey-burst',
      'Accepted to notified, as fast as messages are accepted',
      'messages/s',
      (f) => f.arrived,
      burst,
    ),
    one('journey-memory', `Most memory while ${offered}`, 'MB', (f) => f.memory),
  ]
}

interface Traveled extends JourneyResult {
  readonly cpu: readonly number[]
  readonly memory: number
}

async function travel(
  { warmUp }: JourneyPlan,
  perSecond: number,
  messages: number,
): Promise<Traveled> {
  using folder = temporaryFolder()
  await using service = await startService(`sqlite:${folder.path}/nuncio.db`, folder.path)
  await using client = await start('journey.ts', '', askedFrom)
  const made = await fetch(`${service.base}/webhooks/journey`, {
    method: 'PUT',
    headers,
    body: JSON.stringify({ url: `http://127.0.0.1:${client.port}/hook` }),
  })
  if (!made.ok) throw new Error(`no webhook: ${await made.text()}`)
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  const work: Journey = {
    port: service.port,
    head: `POST /v1/messages HTTP/1.1\r\nhost: 127.0.0.1\r\n${lines.join('')}`,
    body: JSON.stringify({ ...posted, userSuppliedId: 'n{n}' }),
    perSecond,
    messages,
    connections: perSecond === 0 ? 64 : 256,
  }
  await ask<JourneyResult>(client.process, { ...work, messages: warmUp })
  const before = cpuMicros(service.pid)
  const found = await ask<JourneyResult>(client.process, work)
  const after = cpuMicros(service.pid)
  const cpu = before === null || after === null ? [] : [(after - before) / messages]
  return { ...found, cpu, memory: memoryOf(service.pid)?.most ?? 0 }
}

/** Messages a second by which it grows, by the line that fits best. */
function growthOf(backlog: readonly number[]): number {
  const middle = (backlog.length - 1) / 2
  const mean = backlog.reduce((sum, value) => sum + value, 0) / Math.max(1, backlog.length)
  let [above, below] = [0, 0]
  backlog.forEach((value, second) => {
    above += (second - middle) * (value - mean)
    below += (second - middle) ** 2
  })
  return below === 0 ? 0 : above / below
}
