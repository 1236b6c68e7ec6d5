import type { Collection } from '../../core/declaration/collection.ts'
import type { Instant } from '../../core/ports/clock.ts'
import type { Transaction } from '../../core/ports/store.ts'
import { timestamp } from '../../core/timestamp.ts'
import type { SignIn } from './begin-session.ts'

/**
 * Returns who signs in with a code; null if it is unknown or too old. Removes it in the transaction that
 * begins the session, so that it works once, on any node.
 */
export async function useCode(
  codes: Collection,
  digest: string,
  now: Instant,
  transaction: Transaction,
): Promise<SignIn | null> {
  const found = await transaction.everywhere.find(codes, { field: 'digest', value: digest })
  if (found === null) return null
  const { expiresAt }: { expiresAt: string } = JSON.parse(found.doc)
  const isRemoved = await transaction.in(found.account).remove(codes, { id: found.id })
  if (!isRemoved || expiresAt <= timestamp(now)) return null
  return { account: found.account, scopes: ['admin'], key: null }
}
