/** How many there are under each name. */
export type Counters = Readonly<Record<string, number>>
