import { spread } from './figures.ts'
import type { Role } from './subjects/subject.ts'

/** The figures of one candidate at one work, one a round. */
export interface Row {
  readonly subject: string
  readonly role: Role
  readonly values: readonly number[]
  /** CPU of its process for each unit of work; none where it cannot be read. */
  readonly cpuMicros: readonly number[]
  readonly p50Ms: readonly number[]
  readonly p99Ms: readonly number[]
}

/** What came of a work. */
export interface Outcome {
  /** Its name in data, goals and file names. */
  readonly work: string
  readonly title: string
  /** Of the values. */
  readonly unit: string
  readonly isLessBetter: boolean
  readonly rows: readonly Row[]
  readonly notes: readonly string[]
}

/** How ours stands to another: round by round, and in CPU for the same work. */
export interface Ratio {
  readonly to: string
  readonly role: Role
  readonly values: readonly number[]
  /** The other's CPU for the work, in ours. Null where there is none to compare. */
  readonly byCpu: number | null
}

/** A row of values alone. */
export function row(subject: string, role: Role, values: readonly number[]): Row {
  return { subject, role, values, cpuMicros: [], p50Ms: [], p99Ms: [] }
}

/** Ours to each of the others, of one round each, so that what slows the machine slows both. */
export function ratiosOf({ rows }: Outcome): readonly Ratio[] {
  const ours = rows.find(({ role }) => role === 'ours')
  if (ours === undefined) return []
  return rows
    .filter((row) => row !== ours && row.values.length > 0)
    .map((row) => ({
      to: row.subject,
      role: row.role,
      values: row.values.flatMap((value, round) => {
        const own = ours.values[round]
        return own === undefined || value === 0 ? [] : [own / value]
      }),
      byCpu:
        row.cpuMicros.length === 0 || ours.cpuMicros.length === 0
          ? null
          : spread(row.cpuMicros).median / spread(ours.cpuMicros).median,
    }))
}
