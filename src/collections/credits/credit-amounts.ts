import type { AccountId } from '../../core/account.ts'
import type { CounterChange } from '../../core/ports/counters.ts'
import type { Reader, Writer } from '../../core/ports/store.ts'

/** Credits are counted in millionths, so that no sum is rounded. */
export const microsPerCredit = 1_000_000

/** The most credits that an account can have: their millionths are exact in a double (RFC 8259 section 6). */
export const creditsMax = 1_000_000_000

/** Converts credits that the service has computed to millionths. */
export function inMicros(credits: number): number {
  return Math.round(credits * microsPerCredit)
}

/** Converts credits to millionths; returns null if the result is no integer. */
export function microsOf(credits: number): number | null {
  const micros = inMicros(credits)
  return micros / microsPerCredit === credits ? micros : null
}

/** The counter of an account's credits. */
const [subject, name] = ['credits', 'micros']

const bounds = { atLeast: 0, atMost: creditsMax * microsPerCredit }

/** Returns the account's credits in millionths; null if they are not counted. */
export async function findCredits(reader: Reader, account: AccountId): Promise<number | null> {
  return (await reader.findCounters(account, [subject])).get(subject)?.[name] ?? null
}

/** Starts counting the credits of the writer's account, from zero; or stops it. */
export function countCredits(writer: Writer, isCounted: boolean): Promise<void> {
  return writer.setCounters(subject, isCounted ? [name] : [])
}

/**
 * Adds millionths to the credits of the writer's account, or takes them. The balance stays locked until the
 * transaction ends; zero only locks and reads it. Returns null if the credits are not counted.
 */
export function changeCredits(writer: Writer, micros: number): Promise<CounterChange | null> {
  return writer.addToCounter(subject, name, micros, bounds)
}
