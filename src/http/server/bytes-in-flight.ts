import type { AccountId } from '../../core/account.ts'
import { Problem } from '../../core/problem.ts'

/** The octets of request bodies and responses that are held for slow clients. */
export interface BytesInFlight {
  /** Begins to count octets for an account; null: for all requests without a key. */
  hold(account: AccountId | null): HeldBytes
  /** Throws `too-many-requests` if less than half of the account's octets are free. */
  checkRoom(account: AccountId): void
}

/** Octets that are counted until they are released. */
export interface HeldBytes {
  /**
   * Counts further octets. Throws `too-many-requests` if the account has too many in flight, and
   * `unavailable` if all accounts together have.
   */
  add(bytes: number): void
  /** Ends the count. A repetition has no effect. */
  release(): void
}

/** Maximums of octets in flight. */
export interface InFlightLimits {
  readonly bytesInTotalMax: number
  readonly bytesPerAccountMax: number
}

const usualLimits: InFlightLimits = {
  bytesInTotalMax: 128 * 1_048_576,
  // Enough for one page of the largest size per account.
  bytesPerAccountMax: 32 * 1_048_576,
}

/** Bodies and responses up to this size are not counted: a client reads and sends them in one go. */
export const uncountedBytesMax = 65_536

/** Creates the count of one server. */
export function bytesInFlight(limits: InFlightLimits = usualLimits): BytesInFlight {
  const byAccount = new Map<AccountId | null, number>()
  let total = 0

  return {
    checkRoom: (account) => {
      const own = byAccount.get(account) ?? 0
      if (own > limits.bytesPerAccountMax / 2) throw tooMany(limits.bytesPerAccountMax / 2)
    },
    hold: (account) => {
      let held = 0
      let isReleased = false
      return {
        add: (bytes) => {
          if (isReleased) return
          const own = (byAccount.get(account) ?? 0) + bytes
          if (own > limits.bytesPerAccountMax) throw tooMany(limits.bytesPerAccountMax)
          if (total + bytes > limits.bytesInTotalMax) throw overloaded(limits.bytesInTotalMax)
          held += bytes
          total += bytes
          byAccount.set(account, own)
        },
        release: () => {
          if (isReleased) return
          isReleased = true
          total -= held
          const left = (byAccount.get(account) ?? 0) - held
          if (left > 0) byAccount.set(account, left)
          else byAccount.delete(account)
        },
      }
    },
  }
}

const retryAfter = { headers: { 'retry-after': '1' } }

function tooMany(bytesMax: number): Problem {
  const detail =
    `Bodies and responses of the account in transit exceed ${bytesMax} octets. ` +
    'Read the responses, or send fewer requests at a time.'
  return new Problem('too-many-requests', detail, retryAfter)
}

function overloaded(bytesMax: number): Problem {
  const detail = `Bodies and responses in transit exceed ${bytesMax} octets. Retry later.`
  return new Problem('unavailable', detail, retryAfter)
}
