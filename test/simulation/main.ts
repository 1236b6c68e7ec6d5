import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { playSeeds } from './play-seeds.ts'

// Not within the test runner, which follows each promise: that makes schedules three times as slow. What
// they make is short-lived, so there is room for that of one; and nobody reads where an error was made.
const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    from: { type: 'string', default: '1' },
    count: { type: 'string', default: '1000' },
    processes: { type: 'string', default: '1' },
  },
})
const isOne = values.seed !== undefined
const first = Number(values.seed ?? values.from)
const count = isOne ? 1 : Number(values.count)
const processes = values.processes === 'cores' ? availableParallelism() : Number(values.processes)

const began = performance.now()
const failed =
  processes > 1 ? await playApart(first, count, processes) : await playSeeds(first, count, isOne)
const seconds = (performance.now() - began) / 1000
if (processes > 1) {
  console.log(`${count} schedules in ${seconds.toFixed(1)} s in ${processes} processes`)
}
process.exitCode = failed === 0 ? 0 : 1

/** Shares the seeds out over processes, each with the flags of this one; returns how many of these failed. */
async function playApart(from: number, seeds: number, shares: number): Promise<number> {
  const each = Math.ceil(seeds / shares)
  const codes = await Promise.all(
    Array.from({ length: shares }, (_, index) => {
      const start = index * each
      const share = Math.min(each, seeds - start)
      return share <= 0 ? 0 : run(['--from', String(from + start), '--count', String(share)])
    }),
  )
  return codes.filter((code) => code !== 0).length
}

function run(args: readonly string[]): Promise<number> {
  return new Promise((resolve, reject) => {
    const all = [...process.execArgv, import.meta.filename, ...args]
    const child = spawn(process.execPath, all, { stdio: 'inherit' })
    child.once('error', reject)
    child.once('exit', (code) => resolve(code ?? 1))
  })
}
