/** The part of an opt-out that decides which messages it blocks. */
interface BlockedSender {
  /** Null: all senders. */
  readonly sender: string | null
}

/** Opt-outs of an address, by whether they block the messages of one sender. */
export interface AppliedOptOuts<O extends BlockedSender> {
  readonly blocking: readonly O[]
  /** They concern other senders only. */
  readonly others: readonly O[]
}

/** Separates the opt-outs that block messages from a sender; of an empty one only those of all senders do. */
export function applyOptOuts<O extends BlockedSender>(
  optOuts: readonly O[],
  sender: string,
): AppliedOptOuts<O> {
  const blocks = (one: O): boolean => one.sender === null || one.sender === sender
  return { blocking: optOuts.filter(blocks), others: optOuts.filter((one) => !blocks(one)) }
}

/** Names the senders of some opt-outs: `+447700900456, all senders`. */
export function senderNames(optOuts: readonly BlockedSender[]): string {
  return optOuts.map(({ sender }) => sender ?? 'all senders').join(', ')
}
