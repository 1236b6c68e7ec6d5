import { loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { say } from '../measures/parts/programs.ts'
import { forbidden, type Attack } from './attack.ts'
import { attacks } from './attacks.ts'
import { attackerAccount } from './clients.ts'
import { filledStore, storeKinds } from './filled-stores.ts'
import { measureAttack, type Measured } from './measure-attack.ts'

/**
 * `npm run chaos:abuse`: attacks a service while client B sends requests. Fails if B's p99 exceeds 10
 * times its quiet p99 and 60 ms, if a request of B fails, if a webhook reaches a forbidden address, if the
 * memory grows by more than 250 MB, or if the process does not end in time after SIGTERM. With
 * `--without-times`, B's p99 is only printed.
 */
const { values } = parseArgs({
  options: {
    store: { type: 'string' },
    messages: { type: 'string', default: '330000' },
    seconds: { type: 'string', default: '8' },
    size: { type: 'string', default: '1' },
    only: { type: 'string' },
    'without-times': { type: 'boolean', default: false },
  },
})

const factorMax = 10
const p99MaxMs = 60
const memoryMaxMb = 250
const endMaxMs = 30_000

const kinds = storeKinds.filter((kind) => values.store === undefined || values.store === kind)
if (kinds.length === 0) throw new Error(`--store must be one of ${storeKinds.join(', ')}`)
const only = values.only?.split(',') ?? null
const wanted = attacks.filter(({ name }) => only?.includes(name) ?? true)
const extent = { seconds: Number(values.seconds), size: Number(values.size) }
const rows = Number(values.messages)

const columns = [
  'attack',
  'B quiet p99',
  'p50',
  'p99',
  'ratio',
  'loop p99 / max',
  'no core',
  'B failed',
  'memory',
  'end',
  'results of A',
  '',
]

let failed = 0
for (const kind of kinds) {
  say(
    `\n${kind}, ${rows.toLocaleString('en')} messages, load average ${loadavg()[0]?.toFixed(1)}\n`,
  )
  await using filled = await filledStore(kind, attackerAccount, rows)
  say(
    'Attackers run at the lowest priority, as clients on other machines would take no core. "loop": delay of the ' +
      'event loop of the service, up to 20 ms of which are those of its timer; "no core": the share of the time ' +
      'for which the service could run and had none.\n',
  )
  say(`| ${columns.join(' | ')} |\n|${'---|'.repeat(columns.length)}`)
  for (const attack of wanted) {
    const measured = await measureAttack(attack, filled, extent)
    const faults = faultsOf(measured)
    if (faults.length > 0) failed += 1
    say(rowOf(attack, measured, faults))
  }
}
say(`\n${failed === 0 ? 'All within bounds' : `${failed} not within bounds`}`)
process.exit(failed === 0 ? 0 : 1)

function faultsOf(measured: Measured): readonly string[] {
  const { quietMs, attackedMs, failures, memoryMb, endMs, exitCode, results } = measured
  const isSlow = !values['without-times'] && attackedMs > Math.max(p99MaxMs, factorMax * quietMs)
  return [
    ...(isSlow ? ['SLOW'] : []),
    ...(failures.length > 0 ? [`FAILED: ${[...new Set(failures)].join(', ').slice(0, 100)}`] : []),
    ...(memoryMb > memoryMaxMb ? ['MEMORY'] : []),
    ...((results[forbidden] ?? 0) > 0 ? ['REACHED'] : []),
    ...(endMs > endMaxMs || exitCode !== 0 ? [`END: exit code ${exitCode}`] : []),
  ]
}

function rowOf({ title }: Attack, measured: Measured, faults: readonly string[]): string {
  const { quietMs, attackedMs, attackedP50Ms, requests, failures, memoryMb, endMs } = measured
  const { results, strain } = measured
  const shown = Object.entries(results).map(([name, count]) => `${count} × ${name}`)
  const ms = (value: number): string => `${value.toFixed(1)} ms`
  const cells = [
    title,
    ms(quietMs),
    ms(attackedP50Ms),
    ms(attackedMs),
    (attackedMs / quietMs).toFixed(1),
    `${ms(strain.loopP99Ms)} / ${ms(strain.loopMaxMs)}`,
    `${(strain.waiting * 100).toFixed(0)} %`,
    `${failures.length} of ${requests}`,
    `+${Math.max(memoryMb, 0).toFixed(0)} MB`,
    `${(endMs / 1000).toFixed(1)} s`,
    shown.join(', '),
    faults.length === 0 ? 'ok' : faults.join('; '),
  ]
  return `| ${cells.join(' | ')} |`
}
