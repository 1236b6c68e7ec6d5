import type { client } from '../../api/client.ts'

/** A message that is being written, by field. */
export interface MessageDraft {
  readonly to?: string
  readonly from?: string
  readonly body?: string
  readonly [field: string]: unknown
}

type MessageInput = Parameters<typeof client.messages.create>[0]

/** Returns the input of a draft. The service checks it and names every fault. */
export function inputOf(draft: MessageDraft): MessageInput {
  const filled = Object.entries(draft).filter(([, value]) => value !== undefined && value !== '')
  return { to: '', body: '', ...Object.fromEntries(filled) }
}
