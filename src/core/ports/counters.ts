/** Counts by name. */
export type Counters = Readonly<Record<string, number>>
