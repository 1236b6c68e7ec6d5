import type { Carrier, CarrierCondition, CarrierGround, CarrierType } from '../core/carrier.ts'
import type { Clock, Instant } from '../core/clock.ts'
import type { JsonObject } from '../core/json.ts'
import type { CarrierInstance } from '../collections/carriers.ts'
import type { Loan } from './carriers.ts'

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
  borrow(): Loan | null
  /** Kept when it is as it is wanted. */
  settled(): Promise<void>
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
  const { clock, log } = options
  let wanted: Wanted = null
  let isLike = printOf(null)
  let opened: Opened | null = null
  let failed: CarrierCondition | null = null
  let turning: Promise<void> | null = null

  /** What is wanted may change again while messages are waited for. */
  const turn = async (): Promise<void> => {
    while (isLike !== printOf(wanted)) {
      if (opened !== null) await close(opened)
      opened = null
      failed = null
      isLike = printOf(wanted)
      if (wanted !== null) open(wanted)
    }
  }

  const open = ({ instance, settings }: NonNullable<Wanted>): void => {
    try {
      const type = options.types.find((each) => each.type === instance.type)
      if (type === undefined)
        throw new Error(`${instance.type} is not offered by this installation`)
      const carrier = type.open(id, settings, options)
      opened = { carrier, loans: 0, onEmpty: () => {} }
      options.start(carrier).catch((error: unknown) => {
        log('error', 'carrier not started', { carrier: id, error })
      })
    } catch (error) {
      log('error', 'carrier not opened', { carrier: id, error })
      failed = notOpened(error, clock.now())
    }
  }

  const close = async (old: Opened): Promise<void> => {
    await drained(old, clock)
    try {
      await old.carrier[Symbol.asyncDispose]()
    } catch (error) {
      log('error', 'carrier not closed', { carrier: id, error })
    }
  }

  /** One that is to be another takes nothing more. */
  const current = (): Opened | null => (isLike === printOf(wanted) ? opened : null)

  return {
    want(next) {
      wanted = next
      turning ??= turn().finally(() => {
        turning = null
      })
    },
    condition: () => opened?.carrier.condition() ?? failed,
    carrier: () => opened?.carrier ?? null,
    borrow() {
      const lent = current()
      if (lent === null) return null
      lent.loans += 1
      return {
        carrier: lent.carrier,
        giveBack: () => {
          lent.loans -= 1
          if (lent.loans === 0) lent.onEmpty()
        },
      }
    },
    settled: async () => {
      await turning
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
