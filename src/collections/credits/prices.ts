import { collection, type InstanceOf } from '../../core/declaration/collection.ts'
import { decimalFaults } from './credit-movements.ts'
import { number, reference, text } from '../../core/declaration/field.ts'
import { invalidBody, Problem } from '../../core/problem.ts'
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
  faults: async ({ after }) => decimalFaults('creditsPerPart', after['creditsPerPart']),
  write: async ({ after }, { writer }) => {
    const faults = decimalFaults('creditsPerPart', after['creditsPerPart'])
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
