import { client } from '../../api/client.ts'
import { findContacts, storeContacts } from '../recipients/store-contacts.ts'
import { needsContacts, type BroadcastDraft } from './broadcast-draft.ts'
import { groupName } from './send-state.ts'

/**
 * Stores the recipients of a draft as contacts of a new group, if its text needs their names. Returns the
 * group, or null if numbers suffice. Contacts that exist get the names and attributes of the list.
 */
export async function storeGroup(
  draft: BroadcastDraft,
  onProgress: (done: number) => void,
): Promise<string | null> {
  if (!needsContacts(draft) || draft.list === null) return null
  const { recipients } = draft.list
  const known = await findContacts(recipients.map(({ address }) => address))
  const { id } = await client.groups.create({ name: groupName(draft) })
  const { refused } = await storeContacts(recipients, {
    known,
    existing: 'UPDATE',
    group: id,
    onProgress,
  })
  const [first] = refused
  if (first === undefined) return id
  throw new Error(`Line ${first.line} ${first.fault}: ${first.text}. Nothing was sent.`)
}
