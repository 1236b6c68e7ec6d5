/** How many there are under each name. */
export type Counts = Readonly<Record<string, number>>
