import type { Browser, Page } from 'playwright-core'

/** The longest task of a tab, in milliseconds. */
export interface LongestTask {
  /** As a person waits for it; other programs of the machine lengthen it. */
  readonly wallMs: number
  /** As the processor works on it. */
  readonly cpuMs: number
}

interface TraceEvent {
  readonly name: string
  readonly pid: number
  readonly tid: number
  /** Microseconds. */
  readonly dur?: number
  readonly tdur?: number
  readonly args?: { readonly name?: string }
}

/** Finds the longest task of the main threads while something happens. */
export async function longestTask(
  browser: Browser,
  page: Page,
  happen: () => Promise<void>,
): Promise<LongestTask> {
  await browser.startTracing(page, { categories: ['toplevel', '__metadata'] })
  await happen()
  const trace = await browser.stopTracing()
  const { traceEvents }: { readonly traceEvents: readonly TraceEvent[] } = JSON.parse(
    trace.toString(),
  )
  const mains = new Set(
    traceEvents.filter(({ args }) => args?.name === 'CrRendererMain').map(threadOf),
  )
  const tasks = traceEvents.filter(
    (event) => event.name.endsWith('RunTask') && mains.has(threadOf(event)),
  )
  if (tasks.length === 0) throw new Error('the trace has no tasks')
  const longest = (part: 'dur' | 'tdur'): number =>
    tasks.reduce((most, event) => Math.max(most, (event[part] ?? 0) / 1000), 0)
  return { wallMs: longest('dur'), cpuMs: longest('tdur') }
}

function threadOf({ pid, tid }: TraceEvent): string {
  return `${pid} ${tid}`
}
