import type { PartOutcome } from '../../../core/ports/receipts.ts'

/** What a receipt says; ON_ITS_WAY for one that is not the last. */
export type ReceiptOutcome = PartOutcome | 'ON_ITS_WAY'

const delivered = { type: 'DELIVERED', detail: null } as const
const unknown = { type: 'UNKNOWN', detail: null } as const
const failed = (detail: string): PartOutcome => ({ type: 'FAILED', detail })

/** What `message_state` says, section 5.2.28; 0 and 9 are those of SMPP 5.0. */
export function stateOutcome(state: number): ReceiptOutcome {
  return states[state] ?? unknown
}

/** ACCEPTED is said both of what was taken over by hand and of what the next network took: neither is the end. */
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
 * What `stat` of a receipt in text form says, Appendix B. SMSCs write it at full length, cut short, in
 * lower case, and have words of their own; one that is not known says that nothing is known.
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
