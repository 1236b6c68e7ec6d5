import { statuses, statusName } from './statuses.ts'

/** Meaning for the part of a `command_status` in a submit response. */
export type SubmitStatusMeaning =
  | { readonly kind: 'TAKEN' }
  /** Never; `detail` is the one of the status FAILED. */
  | { readonly kind: 'REFUSED'; readonly detail: string }
  /** Not now: again after a while. */
  | { readonly kind: 'LATER' }
  /** Too fast: all that is sent slows down, and the part goes again. */
  | { readonly kind: 'SLOWER' }

/** Meanings that an operator can assign to a provider's private codes. */
export const declaredMeanings = [
  'REJECTED',
  'UNDELIVERABLE',
  'BLOCKED',
  'RETRY',
  'THROTTLED',
] as const

/** A meaning as an operator declares it. */
export type DeclaredMeaning = (typeof declaredMeanings)[number]

/**
 * Meanings of the statuses that are no plain refusal. Any other status, private ones included (from
 * 0x400), is a refusal: a second submit would fail too.
 */
const meanings = new Map<number, DeclaredMeaning>([
  [statuses.ESME_RTHROTTLED, 'THROTTLED'],
  [statuses.ESME_RMSGQFUL, 'THROTTLED'],
  // The SMSC is in trouble, not the message.
  [statuses.ESME_RSYSERR, 'RETRY'],
  [statuses.ESME_RX_T_APPN, 'RETRY'],
  [statuses.ESME_RUNKNOWNERR, 'RETRY'],
  // The bind is in trouble: another one, or the next, may be not.
  [statuses.ESME_RINVBNDSTS, 'RETRY'],
  [statuses.ESME_RBINDFAIL, 'RETRY'],
  [statuses.ESME_RALYBND, 'RETRY'],
  // No sender can reach the recipient.
  [statuses.ESME_RINVDSTADR, 'UNDELIVERABLE'],
  [statuses.ESME_RDELIVERYFAILURE, 'UNDELIVERABLE'],
])

/** Returns the function that classifies a status; the operator's meanings, in hex, come first. */
export function submitMeanings(
  own: readonly { readonly status: string; readonly meaning: DeclaredMeaning }[],
): (status: number) => SubmitStatusMeaning {
  const all = new Map(meanings)
  for (const { status, meaning } of own) all.set(Number(status), meaning)
  return (status) => {
    if (status === statuses.ESME_ROK) return { kind: 'TAKEN' }
    const meaning = all.get(status) ?? 'REJECTED'
    if (meaning === 'RETRY') return { kind: 'LATER' }
    return meaning === 'THROTTLED' ? { kind: 'SLOWER' } : { kind: 'REFUSED', detail: meaning }
  }
}

/** The status of an answer in words for a log and for `lastError`. */
export function statusText(status: number): string {
  return `the SMSC answered ${statusName(status)}`
}
