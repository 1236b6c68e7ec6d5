import type { PartOutcome } from '../../../core/ports/receipts.ts'

/** Outcome in a receipt; ON_ITS_WAY for an intermediate receipt. */
export type ReceiptOutcome = PartOutcome | 'ON_ITS_WAY'

const delivered = { type: 'DELIVERED', detail: null } as const
const unknown = { type: 'UNKNOWN', detail: null } as const
const failed = (detail: string): PartOutcome => ({ type: 'FAILED', detail })

/** Maps `message_state`, section 5.2.28; 0 and 9 come from SMPP 5.0. */
export function stateOutcome(state: number): ReceiptOutcome {
  return states[state] ?? unknown
}

/** ACCEPTED means read by a person or taken by the next network: neither is final. */
const states: Readonly<Record<number, ReceiptOutcome>> = {
  0: 'ON_ITS_WAY',
  1: 'ON_ITS_WAY',
  2: delivered,
  3: failed('EXPIRED'),
  4: failed('REJECTED'),
  5: failed('UNDELIVERABLE'),
  6: 'ON_ITS_WAY',
  7: unknown,
  8: failed('REJECTED'),
  9: failed('UNDELIVERABLE'),
}

/**
 * Maps `stat` of a text receipt, Appendix B. SMSCs write it in full, truncated, in lower case, or
 * use
 * private words; an unknown word gives an unknown outcome.
 */
export function statOutcome(stat: string): ReceiptOutcome {
  const word = stat.toUpperCase()
  return stats.find(([start]) => word.startsWith(start))?.[1] ?? unknown
}

/** By how they begin: the first that fits counts. */
const stats: readonly (readonly [start: string, outcome: ReceiptOutcome])[] = [
  ['DELIV', delivered],
  ['DLVR', delivered],
  ['EXPI', failed('EXPIRED')],
  ['EXPR', failed('EXPIRED')],
  ['DELE', failed('REJECTED')],
  ['UNDEL', failed('UNDELIVERABLE')],
  ['NOTDEL', failed('UNDELIVERABLE')],
  ['FAIL', failed('UNDELIVERABLE')],
  ['ABSENT', failed('UNDELIVERABLE')],
  ['REJ', failed('REJECTED')],
  ['BLOCK', failed('BLOCKED')],
  ['BLACK', failed('BLOCKED')],
  ['SKIP', failed('UNDELIVERABLE')],
  ['ACC', 'ON_ITS_WAY'],
  ['ENR', 'ON_ITS_WAY'],
  ['SCHED', 'ON_ITS_WAY'],
  ['BUFF', 'ON_ITS_WAY'],
  ['QUEUE', 'ON_ITS_WAY'],
  ['SENT', 'ON_ITS_WAY'],
  ['SUBMIT', 'ON_ITS_WAY'],
]
