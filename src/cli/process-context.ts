import type { Config } from '../config/config.ts'
import type { Environment } from '../config/environment.ts'
import type { Clock } from '../core/ports/clock.ts'
import type { StoreLocation } from '../config/store-location.ts'
import type { StoreLook } from '../core/ports/store-health.ts'
import type { StoreMove } from '../config/read-move.ts'
import type { Moved, MoveReport, StorePages } from '../core/ports/moving.ts'
import type { Distribution } from '../config/read-distribution.ts'
import type { DistributionReport, DistributionStep } from '../core/ports/distribution.ts'
import type { Log } from '../core/ports/log.ts'
import type { Random } from '../core/ports/random.ts'

/** A standard stream that a command writes to. */
export interface Screen {
  readonly write: (text: string) => void
  /** True for a terminal, false for a file or a pipe. */
  readonly terminal: boolean
  /** The width of a terminal, if it is known. */
  readonly columns?: number | undefined
}

/** The signals that ask a process to stop. */
export type StopRequest = 'SIGINT' | 'SIGTERM'

/** The running service. */
export interface RunningApp {
  /** Its URL, without a slash at the end. */
  readonly url: string
  /** The secret of the administrator's key if this start created it. */
  readonly adminKey: string | null
  /** Creates a code that signs a browser in; null if there is no console, or others can reach it. */
  signInCode(): Promise<string | null>
  /** Finishes active work within 30 s, then releases everything. */
  stop(): Promise<void>
}

/** Starts the service; throws if it cannot. */
export type StartApp = (config: Config, context: { readonly log: Log }) => Promise<RunningApp>

/** Moves a store to another database; throws if it cannot. */
export type MoveStore = (
  way: StoreMove,
  report: (report: MoveReport) => void,
  log: Log,
) => Promise<Moved>

/** Copies the file of an SQLite store into a new one; throws if it cannot. */
export type BackUp = (
  from: string,
  to: string,
  report: (pages: StorePages) => void,
) => Promise<void>

/** Distributes a store, unless it is only to be looked at; throws if it cannot. */
export type DistributeStore = (
  wanted: Distribution & { readonly isLook: boolean },
  report: (step: DistributionStep) => void,
  log: Log,
) => Promise<DistributionReport>

/** Looks at a store without changing it; throws if no service can use it. */
export type LookAtStore = (
  store: Exclude<StoreLocation, { readonly kind: 'memory' }>,
) => Promise<StoreLook>

/** The process of a command. Tests pass another. */
export interface ProcessContext {
  readonly environment: Environment
  readonly cwd: string
  readonly out: Screen
  readonly err: Screen
  readonly clock: Clock
  readonly random: Random
  readonly fetch: typeof fetch
  /** Asks on the terminal; a hidden answer is not shown. Null without a terminal. Ctrl-C ends all. */
  readonly ask: (question: string, options: { readonly hidden: boolean }) => Promise<string | null>
  /** Reads standard input to its end. */
  readonly readInput: () => Promise<string>
  /** Calls `listener` for each later stop signal. */
  readonly onStopRequest: (listener: (request: StopRequest) => void) => void
  /** Ends the process immediately, like the signal without a listener. */
  readonly end: (request: StopRequest) => void
  readonly startApp: StartApp
  readonly moveStore: MoveStore
  readonly backUp: BackUp
  readonly distributeStore: DistributeStore
  readonly lookAtStore: LookAtStore
}
