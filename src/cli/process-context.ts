import type { Config } from '../config/config.ts'
import type { Environment } from '../config/environment.ts'
import type { Clock } from '../core/ports/clock.ts'
import type { StoreMove } from '../config/read-move.ts'
import type { Moved, MoveReport } from '../core/ports/moving.ts'
import type { Log } from '../core/ports/log.ts'
import type { Random } from '../core/ports/random.ts'

/** A standard stream that a command writes to. */
export interface Screen {
  readonly write: (text: string) => void
  /** A person reads it, not a file or another program. */
  readonly terminal: boolean
}

/** The signals that ask a process to stop. */
export type StopRequest = 'SIGINT' | 'SIGTERM'

/** The service, running. */
export interface RunningApp {
  /** Where it listens, without a slash at the end. */
  readonly url: string
  /** The secret of the administrator's key, only when it was made at this start. */
  readonly adminKey: string | null
  /** Finishes what is in flight, within 30 s, and lets go of everything. */
  stop(): Promise<void>
}

/** Starts the service; throws where it cannot. */
export type StartApp = (config: Config, context: { readonly log: Log }) => Promise<RunningApp>

/** Moves a store to another database; throws where it cannot. */
export type MoveStore = (
  way: StoreMove,
  report: (report: MoveReport) => void,
  log: Log,
) => Promise<Moved>

/** What a command knows of the process that it runs in. Tests give another. */
export interface ProcessContext {
  readonly environment: Environment
  readonly cwd: string
  readonly out: Screen
  readonly err: Screen
  readonly clock: Clock
  readonly random: Random
  readonly fetch: typeof fetch
  /** Calls `listener` for each request to stop, from now on. */
  readonly onStopRequest: (listener: (request: StopRequest) => void) => void
  /** Ends the process at once, as the request does to a process that does not listen. */
  readonly end: (request: StopRequest) => void
  readonly startApp: StartApp
  readonly moveStore: MoveStore
}
