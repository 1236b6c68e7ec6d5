import type { HeldConsumers, LeasedConsumer } from '../../src/core/ports/consumers.ts'
import type { Store, Transaction } from '../../src/core/ports/store.ts'

/** Leases all free consumers to an owner. */
export async function leaseConsumers(
  { consumers }: Pick<Transaction, 'consumers'>,
  owner: string,
  now: number,
  until: number,
): Promise<readonly LeasedConsumer[]> {
  return (await consumers.hold({ owner, now, until, owners: 1, limit: 999 })).leased
}

/** Returns how many consumers an owner holds, and how many there are. Nothing changes. */
export async function countConsumers(store: Store, owner: string, now: number) {
  let found: HeldConsumers | null = null
  const undo = new Error('undone')
  const wish = { owner, now, until: now, owners: 1, limit: 0 }
  const done = store.transact(async ({ consumers }) => {
    found = await consumers.hold(wish)
    throw undo
  })
  await done.catch((error: unknown) => {
    if (error !== undo) throw error
  })
  const { held = 0, share = 0 } = (found ?? {}) as Partial<HeldConsumers>
  return { all: share, held }
}
