import type { RuleContext } from '../../core/declaration/rules.ts'
import type { Reader } from '../../core/ports/store.ts'
import type { Broadcast, SkipReason } from '../../collections/broadcasts.ts'
import { groupContacts } from '../../collections/groups.ts'
import { complete, withCost, type ContentDefaults } from '../messages/content.ts'
import { defaultsFrom, senderNumber } from '../messages/create-message.ts'
import { draftsOf, exactCredits, messageFault } from './make-message.ts'
import { firstCursor, recipientsAfter, type SeenRecipient } from './recipient-page.ts'
import { filterRecipients } from './filter-recipients.ts'
import { templateOf } from './template.ts'

/** The size of the sample from which an estimate is calculated. */
const sampleMax = 500
/** Addresses named for a reason: enough to see a pattern. */
const addressesMax = 10

/** Estimates a broadcast: exactly if it has few recipients, else from a sample. */
export async function estimate(
  context: RuleContext,
  broadcast: Broadcast,
  defaults: ContentDefaults,
): Promise<Broadcast['estimate']> {
  const { writer, transaction, clock } = context
  const recipients = await recipientCount(writer, broadcast.to)
  const { seen, isAll } = await sample(writer, broadcast.to)
  const from = broadcast.from ?? defaults.defaultSender
  const template = templateOf(broadcast)
  const verdicts = await filterRecipients(writer, seen, { broadcast: null, from, template })

  // The carrier decides the number of parts.
  const number = await senderNumber({ type: 'SENT', from }, context, defaults)
  const routed = defaultsFrom(number, defaults)
  const draftFor = draftsOf(broadcast, clock.now())
  const sum = { messages: 0, parts: 0, creditCost: 0 }
  const skipped = new Map<SkipReason, string[]>()
  for (const [index, verdict] of verdicts.entries()) {
    const address = seen[index]?.addressee?.address ?? ''
    if ('skipped' in verdict) {
      note(skipped, verdict.skipped, address)
      continue
    }
    const draft = draftFor({ id: '', ...verdict })
    const fault = messageFault(draft, broadcast, routed)
    if (fault !== null) {
      note(skipped, fault, address)
      continue
    }
    const message = complete(draft, routed)
    const priced = await withCost(message, { writer, transaction }, routed)
    const { numberOfParts, creditCost } = priced
    sum.messages += 1
    sum.parts += numberOfParts
    sum.creditCost += creditCost
  }
  const exact = isAll && verdicts.length === seen.length
  const times = exact ? 1 : recipients / verdicts.length
  return {
    recipients,
    messages: Math.round(sum.messages * times),
    parts: Math.round(sum.parts * times),
    creditCost: exactCredits(sum.creditCost * times),
    exact,
    skipped: [...skipped].map(([reason, addresses]) => ({
      reason,
      recipients: Math.round(addresses.length * times),
      addresses: addresses.filter((address) => address !== '').slice(0, addressesMax),
    })),
  }
}

function note(skipped: Map<SkipReason, string[]>, reason: SkipReason, address: string): void {
  if (skipped.get(reason)?.push(address) === undefined) skipped.set(reason, [address])
}

async function recipientCount(
  reader: Reader,
  { addresses, contacts, group }: Broadcast['to'],
): Promise<number> {
  const all = { conditions: [], searchTerms: [] }
  const members = group === null ? 0 : await reader.count(groupContacts, group, all)
  return addresses.length + contacts.length + members
}

async function sample(
  reader: Reader,
  to: Broadcast['to'],
): Promise<{ readonly seen: readonly SeenRecipient[]; readonly isAll: boolean }> {
  const seen: SeenRecipient[] = []
  let place = firstCursor
  for (;;) {
    const page = await recipientsAfter(reader, to, place, sampleMax - seen.length)
    seen.push(...page.seen)
    if (page.isLast) return { seen, isAll: true }
    if (seen.length >= sampleMax) return { seen, isAll: false }
    place = page.seen.at(-1)?.behind ?? place
  }
}
