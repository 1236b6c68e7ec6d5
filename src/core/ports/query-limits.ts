/** The bounds of a read that may be expensive. */
export interface QueryLimits {
  /** Returns the signal that aborts when the client disconnects. Only expensive reads call it. */
  readonly signal: () => AbortSignal
  /** Returns how much of the time budget is left, in milliseconds. */
  readonly remainingMs: () => number
  /** A list in the order of its index may return the instances found within the budget. */
  readonly mayBePartial: boolean
}
