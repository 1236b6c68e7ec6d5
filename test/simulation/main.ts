import { parseArgs } from 'node:util'
import { simulate } from './simulate.ts'

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    from: { type: 'string', default: '1' },
    count: { type: 'string', default: '1000' },
  },
})
const first = Number(values.seed ?? values.from)
const count = values.seed === undefined ? Number(values.count) : 1

const counted = ['accepted', 'acknowledged', 'crashes', 'replays', 'broadcasts', 'steps'] as const
const sums = new Map(counted.map((name) => [name, 0]))
let failed = 0
const began = performance.now()
for (let seed = first; seed < first + count; seed += 1) {
  const run = await simulate(seed)
  // Nothing of a schedule is left when it is over: it would cost more to sort through the next one with it.
  globalThis.gc?.({ type: 'minor', execution: 'sync' })
  for (const name of counted) sums.set(name, (sums.get(name) ?? 0) + run[name])
  if (values.seed !== undefined) {
    for (const { atMs, what } of run.trace) {
      console.log(`${(atMs / 1000).toFixed(3).padStart(10)} s  ${what}`)
    }
  }
  if (run.complaints.length > 0) {
    failed += 1
    console.log(`seed ${seed}: ${run.complaints.join('; ')}`)
    console.log(`  repeat it: npm run simulate -- --seed ${seed}`)
  }
}
const seconds = (performance.now() - began) / 1000
const { user, system } = process.cpuUsage()
const cpuMs = (user + system) / 1000 / count
const sum = (name: (typeof counted)[number]): number => sums.get(name) ?? 0
console.log(
  `${count} schedules in ${seconds.toFixed(1)} s, ${cpuMs.toFixed(1)} ms of CPU each: ` +
    `${sum('steps')} steps, ${sum('accepted')} messages accepted, ` +
    `${sum('acknowledged')} records acknowledged, ${sum('replays')} replays, ` +
    `${sum('broadcasts')} broadcasts, ${sum('crashes')} processes ended, ${failed} schedules failed`,
)
process.exitCode = failed === 0 ? 0 : 1
