import { simulate } from './simulate.ts'

const counted = ['accepted', 'acknowledged', 'crashes', 'replays', 'broadcasts', 'steps'] as const

/**
 * Plays so many schedules from a seed on, and says what was in them; with their steps where they are
 * to be shown. Returns how many broke an invariant.
 */
export async function playSeeds(first: number, count: number, isShown: boolean): Promise<number> {
  const sums = new Map(counted.map((name) => [name, 0]))
  let failed = 0
  const began = performance.now()
  for (let seed = first; seed < first + count; seed += 1) {
    const run = await simulate(seed)
    // Nothing of a schedule is left when it is over: it would cost more to sort through the next one with it.
    globalThis.gc?.({ type: 'minor', execution: 'sync' })
    for (const name of counted) sums.set(name, (sums.get(name) ?? 0) + run[name])
    for (const { atMs, what } of isShown ? run.trace : []) {
      console.log(`${(atMs / 1000).toFixed(3).padStart(10)} s  ${what}`)
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
    `seeds ${first} to ${first + count - 1} in ${seconds.toFixed(1)} s, ` +
      `${cpuMs.toFixed(1)} ms of CPU each: ` +
      `${sum('steps')} steps, ${sum('accepted')} messages accepted, ` +
      `${sum('acknowledged')} records acknowledged, ${sum('replays')} replays, ` +
      `${sum('broadcasts')} broadcasts, ${sum('crashes')} processes ended, ${failed} schedules failed`,
  )
  return failed
}
