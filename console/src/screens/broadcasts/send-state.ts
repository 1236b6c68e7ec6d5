import { countText, numberText } from '../../ui/numbers.ts'
import { isReady, needsContacts, type BroadcastDraft } from './broadcast-draft.ts'
import type { Skipped } from './missing-values.ts'

/** What the service expects of a broadcast. */
export interface Estimate {
  readonly recipients: number
  readonly messages: number
  readonly parts: number
  readonly creditCost: number
  readonly exact: boolean
  readonly skipped: readonly Skipped[]
}

/** Whether a draft can be sent, and what a person should know about it. */
export interface SendState {
  readonly canSend: boolean
  /** Why it cannot be sent, or how many recipients get no message; empty if all get one. */
  readonly note: string
}

/** Reasons that depend on the text of each recipient, which is estimated from the first one. */
const ofText = new Set(['tooLong', 'unencodable'])

/** Returns whether a draft can be sent. Without an estimate it can: the service checks it again. */
export function sendStateOf(draft: BroadcastDraft, estimate: Estimate | undefined): SendState {
  if (!isReady(draft)) return { canSend: false, note: 'Choose recipients and enter a text.' }
  if (estimate === undefined) return { canSend: true, note: '' }
  const { messages, exact, skipped } = estimate
  const recipients = draft.list?.recipients.length ?? estimate.recipients
  if (messages >= recipients && messages > 0) return { canSend: true, note: '' }
  const isGuess = needsContacts(draft) && skipped.some(({ reason }) => ofText.has(reason))
  const about = exact && !isGuess ? '' : 'About '
  const whom = countText(recipients, 'recipient')
  return {
    canSend: messages > 0 || about !== '',
    note: `${about}${numberText(messages)} of ${whom} would get a message.`,
  }
}

/** Returns what starting a draft stores besides its messages; empty if nothing. */
export function storedText(draft: BroadcastDraft): string {
  if (!needsContacts(draft) || draft.list === null) return ''
  const contacts = countText(draft.list.recipients.length, 'contact')
  return (
    `The text needs their values, so this also saves ${contacts} in the new group ` +
    `“${groupName(draft)}”. Contacts that exist get the names, tags and attributes of the list.`
  )
}

/** Returns the name of the group that the recipients of a draft join. */
export function groupName({ name }: BroadcastDraft): string {
  return name === '' ? 'Imported recipients' : name
}
