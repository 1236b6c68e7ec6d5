/** The statuses of a sent message in the order of its way. */
export const sentStatuses = [
  'SCHEDULED',
  'ACCEPTED',
  'SENT',
  'DELIVERED',
  'FAILED',
  'UNKNOWN',
  'CANCELLED',
] as const

/** What each detail of the status FAILED means, and what one can do. */
export const failureReasons: Readonly<Record<string, string>> = {
  UNDELIVERABLE: 'The network could not deliver it. Check the recipient’s number.',
  EXPIRED:
    'The recipient was not reachable within the validity. Allow more time, or send it again.',
  REJECTED: 'The carrier refused it. Check sender and content.',
  BLOCKED:
    'The recipient has opted out of this sender. Remove the opt-out only with their consent.',
  HANDSET_ERROR: 'The recipient’s phone could not store it.',
  NOT_SENT: 'It never reached a carrier. Check the carriers’ states and routes.',
}

/** Says why a message failed and what one can do, with the network's code; undefined if it did not fail. */
export function failureText(status: string, networkCode: string | null): string | undefined {
  const reason = failureReasons[status.split('.')[1] ?? '']
  return reason === undefined || networkCode === null || networkCode === ''
    ? reason
    : `${reason} The network code is ${networkCode}.`
}

/** Returns true if an entry of the history is a report on the way: it changes no status and notifies nobody. */
export function isIntermediate(status: string): boolean {
  return status.startsWith('SENT.') && status !== 'SENT.null'
}
