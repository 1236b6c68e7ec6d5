import { readFileSync } from 'node:fs'

/** What the machine and the event loop did to a process during a measurement. */
export interface Strain {
  /** The share of the time for which the main thread could run and had no core. */
  readonly waiting: number
  /** Delay of the event loop of which 1 % are longer, and the longest, in milliseconds. */
  readonly loopP99Ms: number
  readonly loopMaxMs: number
}

/** Begins to measure a service. The returned function ends it; zeros if the service no longer responds. */
export async function measureStrain(url: string, pid: number): Promise<() => Promise<Strain>> {
  await loopDelay(url)
  const [began, waitedBefore] = [performance.now(), waitedMs(pid)]
  return async () => {
    const waiting = (waitedMs(pid) - waitedBefore) / (performance.now() - began)
    return { waiting, ...(await loopDelay(url)) }
  }
}

const timeoutMs = 5000
const nanosPerMs = 1e6

/** Reads the delay of the event loop since the last read. */
async function loopDelay(url: string): Promise<Pick<Strain, 'loopP99Ms' | 'loopMaxMs'>> {
  const signal = AbortSignal.timeout(timeoutMs)
  const text = await fetch(`${url}/metrics`, { signal })
    .then((response) => response.text())
    .catch(() => '')
  const read = (name: string): number =>
    Number(new RegExp(`^nodejs_eventloop_delay_${name}_seconds (\\S+)$`, 'm').exec(text)?.[1] ?? 0)
  return { loopP99Ms: read('p99') * 1000, loopMaxMs: read('max') * 1000 }
}

/** Milliseconds for which the main thread waited for a core since it began; 0 if the system does not say. */
function waitedMs(pid: number): number {
  try {
    const [, waited] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')
    return Number(waited) / nanosPerMs
  } catch {
    return 0
  }
}
