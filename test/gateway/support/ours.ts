import { defaultAccount, type AccountId } from '../../../src/core/account.ts'
import { where } from '../../../src/core/ports/store.ts'
import { timestamp } from '../../../src/core/timestamp.ts'
import { numbers, type OurNumber } from '../../../src/collections/numbers.ts'
import { optOuts, pairText, type OptOut, type Pair } from '../../../src/collections/opt-outs.ts'
import type { World } from './world.ts'

/** Makes an address the number of an account. */
export async function giveNumber(
  { store, clock }: World,
  address: string,
  account: AccountId = defaultAccount,
  carrier: string | null = null,
): Promise<void> {
  const date = timestamp(clock.now())
  const id = `number_${address}`
  const partsPerSecond = null
  const made: OurNumber = {
    id,
    address,
    account,
    carrier,
    partsPerSecond,
    createdAt: date,
    updatedAt: date,
  }
  await store.transact((tx) => tx.in(account).save(numbers, { id }, made, null))
}

/** Makes an opt-out, as a client would. */
export async function addOptOut(
  { store, clock }: World,
  pair: Pair,
  account: AccountId = defaultAccount,
): Promise<void> {
  const date = timestamp(clock.now())
  const id = `optout_${pairText(pair)}`
  const made: OptOut = { id, ...pair, reason: 'API', createdAt: date, updatedAt: date }
  await store.transact((tx) => tx.in(account).save(optOuts, { id }, made, { pair: pairText(pair) }))
}

/** The opt-outs of an account, each as address, sender and reason. */
export function optOutsOf(
  { store }: World,
  account: AccountId = defaultAccount,
): Promise<readonly (readonly [string, string | null, string])[]> {
  return store.read(account, async (reader) =>
    (await reader.list(optOuts, null, where([], 1000))).map(({ doc }) => {
      const { address, sender, reason }: OptOut = JSON.parse(doc)
      return [address, sender, reason] as const
    }),
  )
}
