import { where, type Reader } from '../../core/ports/store.ts'
import type { Query } from '../../core/declaration/query.ts'
import type { Broadcast } from '../../collections/broadcasts.ts'
import { contacts, type Contact } from '../../collections/contacts.ts'
import { groupContacts, groups } from '../../collections/groups.ts'
import type { Addressee } from './template.ts'

/** How far a broadcast has gone through its recipients: addresses, then contacts, then the group. */
export interface RecipientCursor {
  /** So many of the addresses. */
  readonly addresses: number
  /** So many of the listed contacts. */
  readonly contacts: number
  /** The contact of the group that was seen last; null before the first. */
  readonly after: string | null
  /** Of one that is cancelled: messages that were being handed over. */
  readonly held?: readonly string[]
}

/** Where every broadcast begins. */
export const firstPlace: RecipientCursor = { addresses: 0, contacts: 0, after: null }

/** A recipient, or a contact that there is no more, and the place behind it. */
export interface Seen {
  readonly addressee: Addressee | null
  readonly behind: RecipientCursor
}

/** Some recipients in their order. */
export interface RecipientPage {
  readonly seen: readonly Seen[]
  /** Whether there are none behind them. */
  readonly isLast: boolean
  /** The group was deleted: nobody knows who was in it. */
  readonly groupGone: boolean
}

/**
 * Up to `limit` recipients behind a place. A group is gone through in the order of its contacts'
 * identifiers: who joins it meanwhile is a recipient where that order has not passed yet.
 */
export async function recipientsBehind(
  reader: Reader,
  to: Broadcast['to'],
  place: RecipientCursor,
  limit: number,
): Promise<RecipientPage> {
  const { addresses, contacts: ids, group } = to
  if (place.addresses < addresses.length) {
    const seen = addresses
      .slice(place.addresses, place.addresses + limit)
      .map((address, index): Seen => ({
        addressee: { address, contact: null },
        behind: { ...place, addresses: place.addresses + index + 1 },
      }))
    const isLast = place.addresses + limit >= addresses.length
    return { seen, isLast: isLast && ids.length === 0 && group === null, groupGone: false }
  }
  if (place.contacts < ids.length) {
    const listed = ids.slice(place.contacts, place.contacts + limit)
    const found = await contactsOf(reader, listed)
    const seen = listed.map((id, index): Seen => {
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

/** Those of the contacts that there are, by their identifiers. */
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
  const seen = found.map(({ id, doc }): Seen => {
    const contact = JSON.parse(doc) as Contact
    const { address } = contact
    return { addressee: { address, contact }, behind: { ...place, after: id } }
  })
  const isLast = found.length < limit
  const groupGone = isLast && (await reader.find(groups, { id: group })) === null
  return { seen, isLast, groupGone }
}
