import { client } from '../../api/client.ts'
import { needsContacts, type BroadcastDraft } from './broadcast-draft.ts'

/** Requests at the same time: a browser opens six connections to a host. */
const requestsMax = 5

/**
 * Stores the recipients of a draft as contacts of a new group, if its text needs their names. Returns the
 * group, or null if numbers suffice.
 */
export async function importContacts(
  draft: BroadcastDraft,
  onProgress: (done: number, all: number) => void,
): Promise<string | null> {
  if (!needsContacts(draft) || draft.list === null) return null
  const { recipients } = draft.list
  const name = draft.name === '' ? 'Imported recipients' : draft.name
  const { id } = await client.groups.create({ name })
  let next = 0
  let done = 0
  const work = async (): Promise<void> => {
    for (;;) {
      const recipient = recipients[next]
      next += 1
      if (recipient === undefined) return
      await client.groups.at(id).contacts.create(recipient)
      done += 1
      onProgress(done, recipients.length)
    }
  }
  await Promise.all(Array.from({ length: requestsMax }, work))
  return id
}
