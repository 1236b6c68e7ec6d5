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

let [accepted, acknowledged, crashes, failed] = [0, 0, 0, 0]
const began = performance.now()
for (let seed = first; seed < first + count; seed += 1) {
  const run = await simulate(seed)
  // Nothing of a schedule is left when it is over: it would cost more to sort through the next one with it.
  globalThis.gc?.({ type: 'minor', execution: 'sync' })
  accepted += run.accepted
  acknowledged += run.acknowledged
  crashes += run.crashes
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
console.log(
  `${count} schedules in ${seconds.toFixed(1)} s: ${accepted} messages accepted, ` +
    `${acknowledged} records acknowledged, ${crashes} processes ended, ${failed} schedules failed`,
)
process.exitCode = failed === 0 ? 0 : 1
