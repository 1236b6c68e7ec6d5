import { readFileSync } from 'node:fs'
import { availableParallelism, cpus, loadavg, platform, release, totalmem } from 'node:os'
import { canPin } from './processes.ts'

/** The machine and how it was used. */
export interface Machine {
  readonly cores: number
  readonly model: string
  readonly memoryGb: number
  readonly system: string
  readonly node: string
  /** Processes that wanted a core when the bench began, from the minute before; above the cores it was busy already. */
  readonly loadBefore: number
  readonly isPinned: boolean
}

/** Describes this machine. */
export function thisMachine(): Machine {
  return {
    cores: availableParallelism(),
    model: cpus()[0]?.model ?? 'unknown',
    memoryGb: Math.round(totalmem() / 1e9),
    system: systemName(),
    node: process.versions.node,
    loadBefore: loadavg()[0] ?? 0,
    isPinned: canPin,
  }
}

function systemName(): string {
  try {
    const text = readFileSync('/etc/os-release', 'utf8')
    const name = /^PRETTY_NAME="(.*)"$/m.exec(text)?.[1] ?? platform()
    return `${name}, ${platform()} ${release()}`
  } catch {
    return `${platform()} ${release()}`
  }
}
