import type {
  Carrier,
  CarrierCondition,
  CarrierGround,
  CarrierType,
} from '../../core/ports/carrier.ts'
import type { Clock, Instant } from '../../core/ports/clock.ts'
import type { CarrierHandle, ConfiguredCarrier } from './carriers.ts'

/** The dependencies of a carrier's lifecycle. */
export interface CarrierLifeOptions extends CarrierGround {
  readonly types: readonly CarrierType[]
  readonly start: (carrier: Carrier) => Promise<void>
}

/** The lifecycle of a carrier. It closes only while no message is in flight. */
export interface CarrierLife {
  /** Opens, reopens or closes it if necessary; null: closes it. */
  want(wanted: ConfiguredCarrier | null): void
  condition(): CarrierCondition | null
  carrier(): Carrier | null
  /** Returns null if it takes no messages. */
  acquire(): CarrierHandle | null
  /** Resolves when it has reached the last wanted state. */
  settled(): Promise<void>
  /** Closes it. Resolves when it is closed. */
  close(): Promise<void>
}

/** The longest time that messages in flight delay its end. */
const drainMs = 25_000

interface Opened {
  readonly carrier: Carrier
  handles: number
  /** Called when the last handle is released. */
  onEmpty: () => void
}

/** Creates the lifecycle of one carrier, which is closed at first. */
export function carrierLife(id: string, options: CarrierLifeOptions): CarrierLife {
  let wanted: ConfiguredCarrier | null = null
  let wantedLike = printOf(null)
  let isLike = wantedLike
  let now: Opened | CarrierCondition | null = null
  let turning: Promise<void> | null = null

  /** The wanted state may change again during a drain. */
  const turn = async (): Promise<void> => {
    while (isLike !== wantedLike) {
      if (isOpened(now)) await close(id, now, options)
      isLike = wantedLike
      now = wanted && open(id, wanted, options)
    }
  }

  const want = (next: ConfiguredCarrier | null): void => {
    wanted = next
    wantedLike = printOf(next)
    turning ??= turn().finally(() => {
      turning = null
    })
  }

  return {
    want,
    condition: () => (isOpened(now) ? now.carrier.condition() : now),
    carrier: () => (isOpened(now) ? now.carrier : null),
    acquire: () => (isOpened(now) && isLike === wantedLike ? handleOf(now) : null),
    settled: async () => {
      await turning
    },
    close: async () => {
      want(null)
      await turning
    },
  }
}

function isOpened(now: Opened | CarrierCondition | null): now is Opened {
  return now !== null && 'carrier' in now
}

/** Opens a carrier. After a failure only the next change tries again. */
function open(
  id: string,
  { instance, settings }: ConfiguredCarrier,
  options: CarrierLifeOptions,
): Opened | CarrierCondition {
  const { clock, log } = options
  try {
    const type = options.types.find((each) => each.type === instance.type)
    if (type === undefined) throw new Error(`${instance.type} is not offered by this installation`)
    const carrier = type.open(id, settings, options)
    options.counts?.opened?.(id)
    options.start(carrier).catch((error: unknown) => {
      log('error', 'carrier not started', { carrier: id, error })
    })
    return { carrier, handles: 0, onEmpty: () => {} }
  } catch (error) {
    log('error', 'carrier not opened', { carrier: id, error })
    return notOpened(error, clock.now())
  }
}

async function close(
  id: string,
  opened: Opened,
  { clock, log }: Pick<CarrierLifeOptions, 'clock' | 'log'>,
): Promise<void> {
  await drained(opened, clock)
  try {
    await opened.carrier[Symbol.asyncDispose]()
  } catch (error) {
    log('error', 'carrier not closed', { carrier: id, error })
  }
}

function handleOf(opened: Opened): CarrierHandle {
  opened.handles += 1
  return {
    carrier: opened.carrier,
    release: () => {
      opened.handles -= 1
      if (opened.handles === 0) opened.onEmpty()
    },
  }
}

/** Returns a text that changes if the carrier must be reopened. */
function printOf(wanted: ConfiguredCarrier | null): string {
  return wanted === null ? '' : JSON.stringify([wanted.instance.type, wanted.settings])
}

/** Resolves when no message is in flight, or after a time limit. */
function drained(opened: Opened, clock: Clock): Promise<void> {
  if (opened.handles === 0) return Promise.resolve()
  return new Promise((resolve) => {
    const cancel = clock.after(drainMs, resolve)
    opened.onEmpty = () => {
      cancel()
      resolve()
    }
  })
}

function notOpened(error: unknown, at: Instant): CarrierCondition {
  const detail = error instanceof Error ? error.message : String(error)
  return {
    state: 'DOWN',
    stateReason: detail,
    since: at,
    inFlight: 0,
    partsPerSecond: 0,
    lastError: { at, detail },
  }
}
