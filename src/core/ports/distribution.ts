/** Progress of a distribution: the table that is distributed now, and how many are before it. */
export interface DistributionStep {
  readonly table: string
  readonly done: number
  readonly all: number
}

/** The share of one worker of a distributed store. */
export interface WorkerShare {
  readonly worker: string
  /** Of the 256 cells. */
  readonly cells: number
  readonly messages: number
  readonly bytes: number
}

/** Location of a distributed store's rows. */
export interface DistributionReport {
  readonly state: 'none' | 'unfinished' | 'complete'
  readonly distributed: readonly string[]
  /** Tables that stay on the coordinator. */
  readonly others: readonly string[]
  readonly workers: readonly WorkerShare[]
}
