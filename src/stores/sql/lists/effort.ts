/** How far a list looks before it takes another way. Any numbers give the same answer. */
export interface Effort {
  /** So many rows are sorted by their index alone, where that has all that decides. */
  readonly sortedInIndex: number
  /** So many rows are read and sorted. */
  readonly sorted: number
  /** So many rows are tested along the order before the page is looked for otherwise. */
  readonly walked: number
  /** So many rows are read and sorted where the walk did not fill the page: beyond, it goes on. */
  readonly sortedAtMost: number
  /** So many values are taken one by one where those that share a value must be sorted. */
  readonly values: number
}

/**
 * A row that an index leads to costs some four microseconds, one along the order less than half of
 * one: so a walk of 25,000 finds a page of what a search that finds more than 2,000 in a million would.
 */
export const effort: Effort = {
  sortedInIndex: 10_000,
  sorted: 2000,
  walked: 25_000,
  sortedAtMost: 50_000,
  values: 16,
}
