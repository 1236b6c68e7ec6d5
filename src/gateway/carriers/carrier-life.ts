import type {
  Carrier,
  CarrierCondition,
  CarrierGround,
  CarrierType,
} from '../../core/ports/carrier.ts'
import type { Clock, Instant } from '../../core/ports/clock.ts'
import type { JsonObject } from '../../core/json.ts'
import type { CarrierInstance } from '../../collections/carriers.ts'
import type { CarrierHandle } from './carriers.ts'

/** How a carrier is to be: null for closed. */
export type Wanted = {
  readonly instance: CarrierInstance
  readonly settings: JsonObject
} | null

/** What a carrier's life needs. */
export interface CarrierLifeOptions extends CarrierGround {
  readonly types: readonly CarrierType[]
  readonly start: (carrier: Carrier) => Promise<void>
}

/** A carrier from one opening to the next: it is closed only when no message is with it. */
export interface CarrierLife {
  /** Opens, reopens or closes it, where it is not so already. */
  want(wanted: Wanted): void
  condition(): CarrierCondition | null
  carrier(): Carrier | null
  /** Null where it takes no messages. */
  borrow(): CarrierHandle | null
  /** Kept when it is as was wanted last. */
  settled(): Promise<void>
  /** Closes it; kept when it is closed. */
  close(): Promise<void>
}

/** How long messages that are with a carrier may hold up its end. */
const drainMs = 25_000

interface Opened {
  readonly carrier: Carrier
  loans: number
  /** Called when the last loan is given back. */
  onEmpty: () => void
}

/** Makes the life of one carrier. It is closed at first. */
export function lifeOf(id: string, options: CarrierLifeOptions): CarrierLife {
  let wanted: Wanted = null
  let wantedLike = printOf(null)
  let isLike = wantedLike
  let now: Opened | CarrierCondition | null = null
  let turning: Promise<void> | null = null

  /** What is wanted may change again while messages are waited for. */
  const turn = async (): Promise<void> => {
    while (isLike !== wantedLike) {
      if (isOpened(now)) await close(id, now, options)
      isLike = wantedLike
      now = wanted && open(id, wanted, options)
    }
  }

  const want = (next: Wanted): void => {
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
    borrow: () => (isOpened(now) && isLike === wantedLike ? lend(now) : null),
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

/** Where that fails it is tried again with the next change alone. */
function open(
  id: string,
  { instance, settings }: NonNullable<Wanted>,
  options: CarrierLifeOptions,
): Opened | CarrierCondition {
  const { clock, log } = options
  try {
    const type = options.types.find((each) => each.type === instance.type)
    if (type === undefined) throw new Error(`${instance.type} is not offered by this installation`)
    const carrier = type.open(id, settings, options)
    options.start(carrier).catch((error: unknown) => {
      log('error', 'carrier not started', { carrier: id, error })
    })
    return { carrier, loans: 0, onEmpty: () => {} }
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

function lend(opened: Opened): CarrierHandle {
  opened.loans += 1
  return {
    carrier: opened.carrier,
    giveBack: () => {
      opened.loans -= 1
      if (opened.loans === 0) opened.onEmpty()
    },
  }
}

/** What it would have to be opened anew for. */
function printOf(wanted: Wanted): string {
  return wanted === null ? '' : JSON.stringify([wanted.instance.type, wanted.settings])
}

/** Kept when no message is with it any more, or too long. */
function drained(opened: Opened, clock: Clock): Promise<void> {
  if (opened.loans === 0) return Promise.resolve()
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
