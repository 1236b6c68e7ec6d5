import type { InputError } from '../../core/problem.ts'
import type { RuleContext } from '../../core/declaration/rules.ts'
import type { Reader } from '../../core/ports/store.ts'
import type { Broadcast } from '../../collections/broadcasts.ts'
import { groups } from '../../collections/groups.ts'
import {
  carrierFaults,
  complete,
  contentFaults,
  type ContentDefaults,
} from '../messages/content.ts'
import { timeFaults } from '../messages/times.ts'
import { draftsOf } from './draft.ts'
import { contactsOf } from './recipients.ts'
import { ownText, readTemplate } from './template.ts'

/** So many contacts are looked up at a time. */
const lookedUpMax = 1000

/** What is wrong with a broadcast, its sender apart. */
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

/** What every message would have of faults, whatever stands in its placeholders. */
function bodyFaults(wanted: Broadcast, now: number, defaults: ContentDefaults): InputError[] {
  const { body, encoding, maxParts } = wanted
  const read = readTemplate(body)
  if (encoding !== 'BINARY' && !read.ok) return [{ pointer: '/body', detail: read.detail }]
  const template = encoding === 'BINARY' || !read.ok ? [body] : read.template
  const own = ownText(template)
  if (own === '') return []
  const nowhere = { ...defaults, routeOf: () => null }
  const message = complete(draftsOf(wanted, now)({ id: '', to: '000', body: own }), nowhere)
  return contentFaults(message, maxParts, nowhere).map((fault) =>
    // Where it stands is another place as long as there are placeholders.
    template.length === 1
      ? fault
      : { ...fault, detail: fault.detail.replace(/ as character \d+/, '') },
  )
}
