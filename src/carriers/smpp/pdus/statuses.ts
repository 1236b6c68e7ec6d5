/** The values of `command_status` that are sent or looked for by name, SMPP 3.4 section 5.1.3. */
export const statuses = {
  ESME_ROK: 0x00,
  ESME_RINVMSGLEN: 0x01,
  ESME_RINVCMDLEN: 0x02,
  ESME_RINVCMDID: 0x03,
  ESME_RINVBNDSTS: 0x04,
  ESME_RALYBND: 0x05,
  ESME_RINVPRTFLG: 0x06,
  ESME_RINVREGDLVFLG: 0x07,
  ESME_RSYSERR: 0x08,
  ESME_RINVSRCADR: 0x0a,
  ESME_RINVDSTADR: 0x0b,
  ESME_RINVMSGID: 0x0c,
  ESME_RBINDFAIL: 0x0d,
  ESME_RINVPASWD: 0x0e,
  ESME_RINVSYSID: 0x0f,
  ESME_RCANCELFAIL: 0x11,
  ESME_RREPLACEFAIL: 0x13,
  ESME_RMSGQFUL: 0x14,
  ESME_RINVSERTYP: 0x15,
  ESME_RINVNUMDESTS: 0x33,
  ESME_RINVDLNAME: 0x34,
  ESME_RINVDESTFLAG: 0x40,
  ESME_RINVSUBREP: 0x42,
  ESME_RINVESMCLASS: 0x43,
  ESME_RCNTSUBDL: 0x44,
  ESME_RSUBMITFAIL: 0x45,
  ESME_RINVSRCTON: 0x48,
  ESME_RINVSRCNPI: 0x49,
  ESME_RINVDSTTON: 0x50,
  ESME_RINVDSTNPI: 0x51,
  ESME_RINVSYSTYP: 0x53,
  ESME_RINVREPFLAG: 0x54,
  ESME_RINVNUMMSGS: 0x55,
  ESME_RTHROTTLED: 0x58,
  ESME_RINVSCHED: 0x61,
  ESME_RINVEXPIRY: 0x62,
  ESME_RINVDFTMSGID: 0x63,
  ESME_RX_T_APPN: 0x64,
  ESME_RX_P_APPN: 0x65,
  ESME_RX_R_APPN: 0x66,
  ESME_RQUERYFAIL: 0x67,
  ESME_RINVOPTPARSTREAM: 0xc0,
  ESME_ROPTPARNOTALLWD: 0xc1,
  ESME_RINVPARLEN: 0xc2,
  ESME_RMISSINGOPTPARAM: 0xc3,
  ESME_RINVOPTPARAMVAL: 0xc4,
  ESME_RDELIVERYFAILURE: 0xfe,
  ESME_RUNKNOWNERR: 0xff,
} as const

/** Returns the SMPP name of a `command_status`, or its number in hex if it has none. */
export function statusName(status: number): string {
  return names.get(status) ?? `0x${status.toString(16).padStart(8, '0')}`
}

const names = new Map<number, string>(
  Object.entries(statuses).map(([name, status]) => [status, name]),
)

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
type DeclaredMeaning = (typeof declaredMeanings)[number]

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
