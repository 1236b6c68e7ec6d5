import type { Clock } from '../../core/ports/clock.ts'
import type { MoveReport } from '../../core/ports/moving.ts'
import type { Screen } from '../process-context.ts'

/** The progress of a move on the screen. */
export interface MoveProgressLines {
  report(report: MoveReport): void
  /** Ends the line. */
  end(): void
}

/** The shortest interval between two updates of the bar. */
const drawnMs = 100

/** Without a terminal, one line for each tenth. */
const tenths = 10

const barColumns = 24

const words = { moving: 'Moving', comparing: 'Comparing' } as const

/** Shows one line with a bar on a terminal, otherwise a line for each tenth of the rows. */
export function moveProgressLines(out: Screen, clock: Clock): MoveProgressLines {
  return out.terminal ? bar(out, clock) : lines(out)
}

function bar(out: Screen, clock: Clock): MoveProgressLines {
  let [drawnAt, isDrawn] = [-Infinity, false]
  let begun: { readonly doing: string; readonly at: number; readonly rows: number } | null = null
  return {
    report: ({ doing, table, rows, all }) => {
      const now = clock.monotonic()
      if (begun?.doing !== doing) begun = { doing, at: now, rows }
      if (now - drawnAt < drawnMs && rows < all) return
      drawnAt = now
      isDrawn = true
      const done = Math.round(share(rows, all) * barColumns)
      const drawn = '█'.repeat(done) + '░'.repeat(barColumns - done)
      const perSecond = Math.round(((rows - begun.rows) * 1000) / Math.max(now - begun.at, 1))
      // ECMA-48: erases the rest of the line.
      out.write(
        `\r${words[doing]} ${drawn} ${percent(rows, all)} %, ${grouped(perSecond)} rows/s, ${table}\u001b[K`,
      )
    },
    end: () => {
      if (isDrawn) out.write('\n')
    },
  }
}

function lines(out: Screen): MoveProgressLines {
  let last = ''
  return {
    report: ({ doing, rows, all }) => {
      const line = `${words[doing]}: ${Math.floor(share(rows, all) * tenths) * (100 / tenths)} %`
      if (line === last) return
      last = line
      out.write(`${line} of ${grouped(all)} rows\n`)
    },
    end: () => {},
  }
}

/** Returns a count with separators: `1,000,000`. */
export function grouped(count: number): string {
  return count.toLocaleString('en')
}

function share(rows: number, all: number): number {
  return all === 0 ? 1 : Math.min(rows / all, 1)
}

function percent(rows: number, all: number): number {
  return Math.floor(share(rows, all) * 100)
}
