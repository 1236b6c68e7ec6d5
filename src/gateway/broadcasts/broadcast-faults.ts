import type { InputError } from '../../core/problem.ts'
import type { RuleContext } from '../../core/declaration/rules.ts'
import type { Reader } from '../../core/ports/store.ts'
import type { Broadcast } from '../../collections/broadcasts.ts'
import { groups } from '../../collections/groups.ts'
import {
  carrierFaults,
  complete,
  contentErrors,
  type ContentDefaults,
  timeFaults,
} from '../messages/content.ts'
import { draftsOf } from './make-message.ts'
import { contactsOf } from './recipient-page.ts'
import { ownText, readTemplate } from './template.ts'

/** The most contacts in one query. */
const lookedUpMax = 1000

/** Returns the faults of a broadcast, except those of its sender. */
export async function broadcastFaults(
  wanted: Broadcast,
  before: Broadcast | null,
  { writer, transaction, clock }: RuleContext,
  defaults: ContentDefaults,
): Promise<readonly InputError[]> {
  const named = wanted.carrier === before?.carrier ? null : wanted.carrier
  return [
    ...(await recipientFaults(wanted.to, writer)),
    ...bodyFaults(wanted, clock.now(), defaults),
    ...(await carrierFaults(named, transaction, defaults)),
    ...timeFaults(wanted, before, clock.now()),
  ]
}

async function recipientFaults(
  { addresses, contacts, group }: Broadcast['to'],
  reader: Reader,
): Promise<readonly InputError[]> {
  if (addresses.length === 0 && contacts.length === 0 && group === null) {
    return [{ pointer: '/to', detail: 'must have addresses, contacts or a group' }]
  }
  const faults: InputError[] = []
  for (let from = 0; from < contacts.length; from += lookedUpMax) {
    const listed = contacts.slice(from, from + lookedUpMax)
    const found = await contactsOf(reader, listed)
    for (const [index, id] of listed.entries()) {
      if (found.has(id)) continue
      const detail = `names ${JSON.stringify(id)}, and there is no such contact`
      faults.push({ pointer: `/to/contacts/${from + index}`, detail })
    }
  }
  if (group !== null && (await reader.find(groups, { id: group })) === null) {
    const detail = `names ${JSON.stringify(group)}, and there is no such group`
    faults.push({ pointer: '/to/group', detail })
  }
  return faults
}

/** Returns the faults of every message, regardless of the values of its placeholders. */
function bodyFaults(wanted: Broadcast, now: number, defaults: ContentDefaults): InputError[] {
  const { body, encoding, maxParts } = wanted
  const read = readTemplate(body)
  if (encoding !== 'BINARY' && !read.ok) return [{ pointer: '/body', detail: read.detail }]
  const template = encoding === 'BINARY' || !read.ok ? [body] : read.template
  const own = ownText(template)
  if (own === '') return []
  const nowhere = { ...defaults, routeOf: () => null }
  const message = complete(draftsOf(wanted, now)({ id: '', to: '000', body: own }), nowhere)
  return contentErrors(message, maxParts, nowhere).map((fault) =>
    // Placeholders change positions in the text.
    template.length === 1
      ? fault
      : { ...fault, detail: fault.detail.replace(/ as character \d+/, '') },
  )
}
