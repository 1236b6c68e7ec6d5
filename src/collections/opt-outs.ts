import { collection, type InstanceOf } from '../core/declaration/collection.ts'
import { choice, text } from '../core/declaration/field.ts'
import { Problem } from '../core/problem.ts'
import type { Rules } from '../core/declaration/rules.ts'
import { where, type Reader, type Stored } from '../core/ports/store.ts'

/** Addresses that refuse messages, from one sender or all. Each account has separate opt-outs. */
export const optOuts = collection({
  name: 'optOuts',
  noun: 'optout',
  description: 'An address that must not be sent to.',
  searchedBy: ['address'],
  fields: {
    address: text({
      format: 'recipient',
      required: true,
      indexed: true,
      description: 'Who opted out.',
    }),
    sender: text({
      format: 'sender',
      nullable: true,
      indexed: true,
      description: 'The sender that must not send to it; null: all senders.',
    }),
    reason: choice(['KEYWORD', 'API'], {
      readOnly: true,
      default: 'API',
      description: '`KEYWORD`: the address sent a word such as STOP. `API`: a client created it.',
    }),
    pair: text({ internal: true, unique: true }),
  },
})

/** An opt-out as it is served. */
export type OptOut = InstanceOf<typeof optOuts>

/** Recipient address and sender; a null sender means every sender. */
export type Pair = Pick<OptOut, 'address' | 'sender'>

/** A pair as one text, which no other pair has: no address has a bar in it. */
export function pairText({ address, sender }: Pair): string {
  return `${address}|${sender ?? ''}`
}

/** The account's opt-outs for exactly these pairs, in the order of their index, which is the cheapest. */
export function findOptOuts(reader: Reader, pairs: readonly string[]): Promise<readonly Stored[]> {
  const query = where([{ path: ['pair'], operator: 'eq', values: pairs }], pairs.length)
  const sort = [{ path: ['pair'], direction: 'asc' }, ...query.sort] as const
  return reader.list(optOuts, null, { ...query, sort })
}

/** The rules of opt-outs: there is one for a pair, and what a client says has the reason API. */
export const optOutRules: Rules = {
  write: async ({ after, before }, { writer }) => {
    const wanted = after as OptOut
    const pair = pairText(wanted)
    const same = await writer.find(optOuts, { field: 'pair', value: pair })
    if (same !== null && same.id !== wanted.id) {
      throw new Problem(
        'conflict',
        `There is an opt-out for this address and sender already: ${same.id}.`,
        { errors: [{ pointer: '/address', detail: `is opted out by ${JSON.stringify(same.id)}` }] },
      )
    }
    // Another pair than the one that somebody asked for by a keyword is the client's own.
    const kept = before !== null && pairText(before as OptOut) === pair
    const instance = kept ? after : { ...after, reason: 'API' }
    return { instance, hidden: { pair } }
  },
}
