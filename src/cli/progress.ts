import type { ProcessContext } from './process-context.ts'

/** A step of long work. */
export interface ProgressStep {
  /** The kind of work: `Copying`. */
  readonly doing: string
  readonly done: number
  readonly all: number
  /** What is counted: `rows`. */
  readonly unit: string
  /** What is worked on now; empty for nothing. */
  readonly subject: string
}

/** The progress of long work on the screen. */
export interface Progress {
  report(step: ProgressStep): void
  /** Ends the line. */
  end(): void
}

/** Work that is shorter needs no bar. */
const shownAfterMs = 1_000

/** The shortest interval between two updates of the bar. */
const drawnMs = 100

/** Without a terminal, one line for each tenth. */
const tenths = 10

const barColumns = 24

/** Shows a bar on a terminal if the work takes over a second, otherwise a line for each tenth. */
export function progressOf({ out, clock }: Pick<ProcessContext, 'out' | 'clock'>): Progress {
  return out.terminal ? bar({ out, clock }) : lines(out)
}

function bar({ out, clock }: Pick<ProcessContext, 'out' | 'clock'>): Progress {
  const startedAt = clock.monotonic()
  let [drawnAt, isDrawn] = [-Infinity, false]
  let begun: { readonly doing: string; readonly at: number; readonly done: number } | null = null
  return {
    report: (step) => {
      const { doing, done, all } = step
      const now = clock.monotonic()
      if (begun?.doing !== doing) begun = { doing, at: now, done }
      if (now - startedAt < shownAfterMs) return
      if (now - drawnAt < drawnMs && done < all) return
      drawnAt = now
      isDrawn = true
      const perSecond = ((done - begun.done) * 1000) / Math.max(now - begun.at, 1)
      const text = barText(step, perSecond)
      // ECMA-48: erases the rest of the line. A longer line would not be overwritten.
      out.write(`\r${text.slice(0, (out.columns ?? Infinity) - 1)}\u001b[K`)
    },
    end: () => {
      if (isDrawn) out.write('\n')
    },
  }
}

function barText({ doing, done, all, unit, subject }: ProgressStep, perSecond: number): string {
  const filled = Math.round(share(done, all) * barColumns)
  const drawn = '█'.repeat(filled) + '░'.repeat(barColumns - filled)
  const percent = Math.floor(share(done, all) * 100)
  const rate = perSecond < 1 ? [] : [`${grouped(Math.round(perSecond))} ${unit}/s`]
  const rest = [...rate, ...(subject === '' ? [] : [subject])]
  return [`${doing} ${drawn} ${percent} %`, ...rest].join(', ')
}

function lines(out: ProcessContext['out']): Progress {
  let last = ''
  return {
    report: ({ doing, done, all, unit }) => {
      const percent = Math.floor(share(done, all) * tenths) * (100 / tenths)
      const line = `${doing}: ${percent} % of ${grouped(all)} ${unit}`
      if (line !== last) out.write(`${line}\n`)
      last = line
    },
    end: () => {},
  }
}

/** Returns a count with separators: `1,000,000`. */
export function grouped(count: number): string {
  return count.toLocaleString('en')
}

function share(done: number, all: number): number {
  return all === 0 ? 1 : Math.min(done / all, 1)
}
