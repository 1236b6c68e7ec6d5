import type { Row } from './outcome.ts'
import { cpuMicros, loadFrom } from './processes.ts'
import type { LoadResult, SentRequest } from './put-load.ts'
import type { Role } from './subjects/subject.ts'

/** One that is measured in turn with others. */
export interface Measured {
  readonly name: string
  readonly role: Role
  readonly port: number
  readonly pid: number
  readonly request: SentRequest
  readonly connections: number
}

/** How often and how long. */
export interface Pace {
  readonly rounds: number
  readonly seconds: number
}

/**
 * Puts the same kind of load on each in turn, so many rounds, after a run that warms them up and is
 * not counted. Every second round goes backwards: what drifts then touches all alike. Throws where
 * one answers anything else than success.
 */
export async function interleave(
  measured: readonly Measured[],
  { rounds, seconds }: Pace,
): Promise<{ readonly rows: readonly Row[]; readonly notes: readonly string[] }> {
  const results = measured.map(() => [] as { result: LoadResult; cpu: number | null }[])
  for (const one of measured) await warmUp(one, seconds)
  for (let round = 0; round < rounds; round += 1) {
    const order = measured.map((_, index) => index)
    for (const index of round % 2 === 0 ? order : order.toReversed()) {
      const one = measured[index]
      if (one !== undefined) results[index]?.push(await loadOf(one, seconds))
    }
  }
  const rows = measured.map(({ name, role }, index): Row => {
    const found = results[index] ?? []
    return {
      subject: name,
      role,
      values: found.map(({ result }) => result.perSecond),
      cpuMicros: found.flatMap(({ cpu }) => (cpu === null ? [] : [cpu])),
      p50Ms: found.map(({ result }) => result.p50Ms),
      p99Ms: found.map(({ result }) => result.p99Ms),
    }
  })
  const busy = measured.filter((_, index) =>
    (results[index] ?? []).some(({ result }) => result.clientShare > 0.9),
  )
  return {
    rows,
    notes: busy.map(({ name }) => `The client had no time left while it asked ${name}.`),
  }
}

/** Answers after which what is run often is compiled; those that are slow need not wait for so many. */
const warmAfter = 3000

const warmSecondsMax = 4

async function warmUp(one: Measured, seconds: number): Promise<void> {
  let answers = 0
  for (let spent = 0; spent < warmSecondsMax && answers < warmAfter; spent += seconds) {
    answers += (await loadOf(one, seconds)).result.answers
  }
}

async function loadOf(
  { port, pid, request, connections, name }: Measured,
  seconds: number,
): Promise<{ result: LoadResult; cpu: number | null }> {
  const before = cpuMicros(pid)
  const result = await loadFrom({ port, request, connections, seconds })
  const after = cpuMicros(pid)
  const refused = Object.keys(result.statuses).filter((status) => !status.startsWith('2'))
  if (refused.length > 0) throw new Error(`${name} answered ${JSON.stringify(result.statuses)}`)
  const cpu = before === null || after === null ? null : (after - before) / result.answers
  return { result, cpu }
}
