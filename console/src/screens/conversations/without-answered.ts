import type { Conversation } from './conversation.ts'

/** Returns each conversation once, with its newest message. */
export function distinct(conversations: readonly Conversation[]): readonly Conversation[] {
  const byParties = Map.groupBy(conversations, partiesText)
  return [...byParties.values()].flatMap(([newest]) => newest ?? [])
}

/** Returns the conversations that are not known to end with a message of the account. */
export function withoutAnswered(
  wanted: readonly Conversation[],
  latest: readonly Conversation[],
): Conversation[] {
  const answered = new Set(
    latest.filter(({ lastMessage }) => lastMessage.type === 'SENT').map(partiesText),
  )
  return wanted.filter((one) => !answered.has(partiesText(one)))
}

function partiesText({ counterpart, address }: Conversation): string {
  return `${counterpart} ${address}`
}
