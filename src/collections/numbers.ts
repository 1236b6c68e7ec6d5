import type { AccountId } from '../core/account.ts'
import { collection, type InstanceOf } from '../core/declaration/collection.ts'
import { number, text } from '../core/declaration/field.ts'
import type { JsonObject } from '../core/json.ts'
import { invalidBody, Problem, type InputError } from '../core/problem.ts'
import type { Rules } from '../core/declaration/rules.ts'
import type { Reader, Transaction } from '../core/ports/store.ts'
import { isCarrier } from './carriers.ts'

/** Address that the operator owns. An administrator assigns it; the account may read it. */
export const numbers = collection({
  name: 'numbers',
  noun: 'number',
  description:
    'An address of the operator. Its account receives messages to it; no other account sends from it.',
  searchedBy: ['address'],
  owned: true,
  changedByAdministrators: true,
  audited: true,
  fields: {
    address: text({
      format: 'sender',
      required: true,
      unique: true,
      description: 'The address, unique over all accounts.',
    }),
    account: text({
      nullable: true,
      indexed: true,
      maxLength: 64,
      description: 'Its account; null: the account of the key.',
    }),
    carrier: text({
      nullable: true,
      maxLength: 64,
      description: 'The carrier of messages from it that name none.',
    }),
    partsPerSecond: number({
      nullable: true,
      minimum: 0.01,
      maximum: 10_000,
      description: 'Maximum parts per second; null: no limit besides the carrier’s.',
    }),
  },
})

/** A number as it is served. */
export type OurNumber = InstanceOf<typeof numbers>

/** Facts about a number that sending and receiving need. */
export interface KnownNumber {
  readonly account: AccountId
  readonly carrier: string | null
  readonly partsPerSecond: number | null
}

/** The number with an address, whosever it is; null where the address is none. */
export async function findNumber(everywhere: Reader, address: string): Promise<KnownNumber | null> {
  const found = await everywhere.find(numbers, { field: 'address', value: address })
  if (found === null) return null
  const { carrier, partsPerSecond = null }: OurNumber = JSON.parse(found.doc)
  return { account: found.account, carrier, partsPerSecond }
}

/** The rules of numbers: one stays with its account, and names a carrier that there is. */
export const numberRules: Rules = {
  faults: ({ after }, { transaction }) => faults(after, transaction),
  write: async ({ after, hiddenAfter, before }, { writer, transaction }) => {
    const { account } = after as OurNumber
    const owner = account ?? writer.account
    if (before !== null && owner !== writer.account) {
      throw new Problem(
        'conflict',
        'A number cannot change account. Delete it and create it again for the other.',
      )
    }
    const errors = await faults(after, transaction)
    if (errors.length > 0) throw invalidBody(errors)
    return { instance: { ...after, account: owner }, hidden: hiddenAfter }
  },
}

async function faults(after: JsonObject, transaction: Transaction): Promise<readonly InputError[]> {
  const { carrier = null } = after as Partial<OurNumber>
  if (carrier === null || (await isCarrier(transaction, carrier))) return []
  return [
    { pointer: '/carrier', detail: `must be an existing carrier, not ${JSON.stringify(carrier)}` },
  ]
}
