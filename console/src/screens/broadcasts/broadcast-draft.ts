import type { client } from '../../api/client.ts'
import { lackedBy, literalBody, placeholdersIn, previewText } from '../recipients/placeholders.ts'
import type { RecipientList } from '../recipients/read-recipients.ts'

/** A broadcast that is being written. */
export interface BroadcastDraft {
  readonly name: string
  readonly from: string
  readonly body: string
  /** The identifier of a group; empty if the recipients are a list. */
  readonly group: string
  readonly list: RecipientList | null
}

type BroadcastInput = Parameters<typeof client.broadcasts.create>[0]

/** Returns the input of a draft; `group` replaces its list of recipients. */
export function inputOf(draft: BroadcastDraft, group: string | null): BroadcastInput {
  const { name, from, body, list } = draft
  const chosen = group ?? (draft.group === '' ? null : draft.group)
  return {
    body,
    ...(name === '' ? {} : { name }),
    ...(from === '' ? {} : { from }),
    to: chosen === null ? { addresses: addressesOf(list) } : { group: chosen },
  }
}

/** A draft before anything is entered. */
export const emptyDraft: BroadcastDraft = { name: '', from: '', body: '', group: '', list: null }

/** Returns true if leaving the page would lose something. */
export function isBegun({ name, from, body, group, list }: BroadcastDraft): boolean {
  const isListed = list !== null && list.recipients.length + list.faults.length > 0
  return [name, from, body, group].some((text) => text !== '') || isListed
}

/** Returns true if a draft has recipients and a text. */
export function isReady({ body, group, list }: BroadcastDraft): boolean {
  return body !== '' && (group !== '' || (list?.recipients.length ?? 0) > 0)
}

/** Returns true if the text of a draft differs between the recipients of its list. */
export function needsContacts({ body, group, list }: BroadcastDraft): boolean {
  if (group !== '' || list === null) return false
  return placeholdersIn(body).some(({ field }) => field !== 'address')
}

function addressesOf(list: RecipientList | null): readonly string[] {
  return (list?.recipients ?? []).map(({ address }) => address)
}

/**
 * Returns the input for an estimate. The service knows the names of a list only after its import, so
 * the text of the first recipient stands for all. Those without a value for it get none.
 */
export function estimateInput(draft: BroadcastDraft): BroadcastInput {
  const { body, list } = draft
  if (!needsContacts(draft) || list === null) return inputOf(draft, null)
  const placeholders = placeholdersIn(body)
  const recipients = list.recipients.filter((one) => lackedBy(placeholders, one) === null)
  const [first] = recipients
  if (first === undefined) return inputOf(draft, null)
  const text = literalBody(previewText(body, first))
  return inputOf({ ...draft, body: text, list: { ...list, recipients } }, null)
}
