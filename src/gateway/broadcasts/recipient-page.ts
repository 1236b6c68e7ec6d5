import { where, type Reader } from '../../core/ports/store.ts'
import type { Query } from '../../core/declaration/query.ts'
import type { Broadcast } from '../../collections/broadcasts.ts'
import { contacts, type Contact } from '../../collections/contacts.ts'
import { groupContacts, groups } from '../../collections/groups.ts'
import type { Addressee } from './template.ts'

/** The cursor through the recipients of a broadcast: addresses, then contacts, then the group. */
export interface RecipientCursor {
  /** The number of addresses passed. */
  readonly addresses: number
  /** The number of listed contacts passed. */
  readonly contacts: number
  /** The last contact of the group that was read; null before the first. */
  readonly after: string | null
  /** During cancellation: messages that were in flight. */
  readonly held?: readonly string[]
}

/** The cursor of a new broadcast. */
export const firstCursor: RecipientCursor = { addresses: 0, contacts: 0, after: null }

/** A recipient, or a deleted contact, and the cursor after it. */
export interface SeenRecipient {
  readonly addressee: Addressee | null
  readonly behind: RecipientCursor
}

/** A page of recipients, in their order. */
export interface RecipientPage {
  readonly seen: readonly SeenRecipient[]
  /** True if no recipients follow. */
  readonly isLast: boolean
  /** True if the group was deleted, so that its members are unknown. */
  readonly groupGone: boolean
}

/**
 * Returns up to `limit` recipients after a cursor. A group is read in the order of its contacts'
 * identifiers: a contact that joins later is a recipient if the cursor has not passed it.
 */
export async function recipientsAfter(
  reader: Reader,
  to: Broadcast['to'],
  place: RecipientCursor,
  limit: number,
): Promise<RecipientPage> {
  const { addresses, contacts: ids, group } = to
  if (place.addresses < addresses.length) {
    const seen = addresses
      .slice(place.addresses, place.addresses + limit)
      .map((address, index): SeenRecipient => ({
        addressee: { address, contact: null },
        behind: { ...place, addresses: place.addresses + index + 1 },
      }))
    const isLast = place.addresses + limit >= addresses.length
    return { seen, isLast: isLast && ids.length === 0 && group === null, groupGone: false }
  }
  if (place.contacts < ids.length) {
    const listed = ids.slice(place.contacts, place.contacts + limit)
    const found = await contactsOf(reader, listed)
    const seen = listed.map((id, index): SeenRecipient => {
      const contact = found.get(id) ?? null
      const behind = { ...place, contacts: place.contacts + index + 1 }
      return { addressee: contact && { address: contact.address, contact }, behind }
    })
    const isLast = place.contacts + limit >= ids.length
    return { seen, isLast: isLast && group === null, groupGone: false }
  }
  return group === null
    ? { seen: [], isLast: true, groupGone: false }
    : membersBehind(reader, group, place, limit)
}

/** Returns the contacts that exist, by identifier. */
export async function contactsOf(
  reader: Reader,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Contact>> {
  const condition = { path: ['id'], operator: 'eq', values: [...new Set(ids)] } as const
  const found = await reader.list(contacts, null, where([condition], ids.length))
  return new Map(found.map(({ id, doc }) => [id, JSON.parse(doc) as Contact]))
}

async function membersBehind(
  reader: Reader,
  group: string,
  place: RecipientCursor,
  limit: number,
): Promise<RecipientPage> {
  const { after } = place
  const everyone: Query = where([], limit)
  const start = after === null ? everyone.start : { after: [after] }
  const members = { entries: groupContacts, parent: group }
  const found = await reader.list(contacts, null, { ...everyone, start, members })
  const seen = found.map(({ id, doc }): SeenRecipient => {
    const contact = JSON.parse(doc) as Contact
    const { address } = contact
    return { addressee: { address, contact }, behind: { ...place, after: id } }
  })
  const isLast = found.length < limit
  const groupGone = isLast && (await reader.find(groups, { id: group })) === null
  return { seen, isLast, groupGone }
}
