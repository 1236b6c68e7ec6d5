/** Credits are counted in millionths, so that no sum is rounded. */
export const microsPerCredit = 1_000_000

/** The most credits that an account can have: their millionths are exact in a double (RFC 8259 section 6). */
export const creditsMax = 1_000_000_000

/** Converts credits to millionths; returns null if the result is no integer. */
export function microsOf(credits: number): number | null {
  const micros = Math.round(credits * microsPerCredit)
  return micros / microsPerCredit === credits ? micros : null
}

/** Result of a credit movement. `balance` is in millionths. */
export type CreditMove =
  | { readonly kind: 'MOVED'; readonly balance: number }
  /** The balance is too small; nothing changed. */
  | { readonly kind: 'SHORT'; readonly balance: number }
  /** The credits of the account are not counted: it has as many as it wants. */
  | { readonly kind: 'UNCOUNTED' }
