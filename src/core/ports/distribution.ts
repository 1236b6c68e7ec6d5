/** Progress of a distribution: the table that is distributed now, and how many are before it. */
export interface DistributionStep {
  readonly table: string
  readonly done: number
  readonly all: number
}

/** The share of one worker of a distributed store. */
export interface WorkerShare {
  readonly worker: string
  /** False if it did not respond: its messages are not counted. */
  readonly isReached: boolean
  /** Of the 256 cells. */
  readonly cells: number
  readonly messages: number
  readonly bytes: number
}

/** Location of a distributed store's rows. */
export interface DistributionReport {
  readonly state: 'none' | 'unfinished' | 'complete'
  readonly distributed: readonly string[]
  /** In how many pieces each of them is cut. */
  readonly pieces: number
  /** Tables that stay on the coordinator. */
  readonly others: readonly string[]
  readonly workers: readonly WorkerShare[]
}
