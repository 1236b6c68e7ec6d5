import type { AccountId } from '../../core/account.ts'
import { collection, type InstanceOf } from '../../core/declaration/collection.ts'
import { microsOf, microsPerCredit } from './credit-amounts.ts'
import { number, reference, text } from '../../core/declaration/field.ts'
import type { JsonObject } from '../../core/json.ts'
import { invalidBody, Problem, type InputError } from '../../core/problem.ts'
import type { Rules } from '../../core/declaration/rules.ts'

/** Price of a message part, by the prefix of the recipient's address. */
export const prices = collection({
  name: 'prices',
  noun: 'price',
  description: 'The price of a message part, by prefix of the recipient.',
  searchedBy: ['prefix'],
  administratorsOnly: true,
  audited: true,
  fields: {
    prefix: text({
      required: true,
      maxLength: 16,
      pattern: '^(?:\\+?[0-9]+|\\+?)$',
      form: 'the beginning of an address, such as +49 or nothing',
      description: 'Prefix of the recipient, such as `+49`; `""` matches all.',
    }),
    account: reference('accounts', {
      nullable: true,
      onDelete: 'cascade',
      description: 'The account; null: accounts without a separate price for the prefix.',
    }),
    creditsPerPart: number({
      required: true,
      minimum: 0,
      maximum: 1_000_000,
      description: 'Credits per part, with at most six decimals.',
    }),
    pair: text({ internal: true, unique: true }),
  },
})

/** A price as it is served. */
export type Price = InstanceOf<typeof prices>

/** The rules of prices: one for an account and a prefix, exact in millionths. */
export const priceRules: Rules = {
  faults: async ({ after }) => decimalFaults(after),
  write: async ({ after }, { writer }) => {
    const faults = decimalFaults(after)
    if (faults.length > 0) throw invalidBody(faults)
    const { id, prefix, account } = after as Price
    const pair = `${account ?? ''}|${prefix}`
    const same = await writer.find(prices, { field: 'pair', value: pair })
    if (same !== null && same.id !== id) {
      const detail = `has the price ${JSON.stringify(same.id)} already`
      throw new Problem('conflict', `There is such a price already: ${same.id}.`, {
        errors: [{ pointer: '/prefix', detail }],
      })
    }
    return { instance: after, hidden: { pair } }
  },
}

function decimalFaults({ creditsPerPart }: JsonObject): readonly InputError[] {
  if (typeof creditsPerPart !== 'number' || microsOf(creditsPerPart) !== null) return []
  return [{ pointer: '/creditsPerPart', detail: 'must have at most six decimals' }]
}

/**
 * Returns the millionths of a credit that a part to an address costs, by the longest prefix; 1
 * credit if no prefix matches.
 */
export function microsPerPart(
  known: ReadonlyMap<string, readonly Price[]>,
  account: AccountId,
  to: string,
): number {
  // Where an operator has no prices at all, as most, no prefix is looked for.
  if (known.size === 0) return microsPerCredit
  for (let length = to.length; length >= 0; length -= 1) {
    const all = known.get(to.slice(0, length)) ?? []
    const price = all.find((each) => each.account === account) ?? all.find(isForAll)
    if (price !== undefined) return microsOf(price.creditsPerPart) ?? 0
  }
  return microsPerCredit
}

function isForAll({ account }: Price): boolean {
  return account === null
}
