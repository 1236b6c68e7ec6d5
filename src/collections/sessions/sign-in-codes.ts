import { hash } from 'node:crypto'
import { defaultAccount } from '../../core/account.ts'
import { collection } from '../../core/declaration/collection.ts'
import { text, timestampField } from '../../core/declaration/field.ts'
import type { NewId } from '../../core/id.ts'
import type { Clock } from '../../core/ports/clock.ts'
import type { Random } from '../../core/ports/random.ts'
import type { Store } from '../../core/ports/store.ts'
import { timestamp } from '../../core/timestamp.ts'

/**
 * A code that begins one session of the administrator, in the place of a key. It has no methods, so clients
 * cannot reach it.
 */
export const signInCodes = collection({
  name: 'signInCodes',
  noun: 'signInCode',
  description: 'A code that begins one session.',
  owned: true,
  methods: { collection: [], instance: [] },
  fields: {
    account: text({ description: 'The account of the session.' }),
    expiresAt: timestampField({ indexed: true, description: 'Until when it can be used.' }),
    digest: text({ internal: true, unique: true }),
  },
})

/** Time within which a code must be used, in milliseconds. */
const codeMs = 10 * 60_000

/** Letters and digits that people do not confuse (Crockford's base 32). */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** Characters of a code: 60 bits, too many to guess within its time. */
const codeLength = 12

/** Creates a code for the administrator's account and returns it; the store has its digest only. */
export async function newSignInCode(
  store: Store,
  { clock, random, newId }: { clock: Clock; random: Random; newId: NewId },
): Promise<string> {
  const characters = Array.from(random.bytes(codeLength), (octet) => alphabet[octet % 32] ?? '')
  const code = characters.join('').replace(/.{4}(?=.)/g, '$&-')
  const now = timestamp(clock.now())
  const id = newId(signInCodes.noun)
  const stored = {
    id,
    account: defaultAccount,
    expiresAt: timestamp(clock.now() + codeMs),
    createdAt: now,
    updatedAt: now,
  }
  await store.transact(async (transaction) =>
    transaction.in(defaultAccount).save(signInCodes, { id }, stored, { digest: codeDigest(code) }),
  )
  return code
}

/** The digest by which the store knows a code: case, spaces and dashes do not matter. */
export function codeDigest(code: string): string {
  const plain = code.toUpperCase().replace(/[\s-]/g, '').replace(/O/g, '0').replace(/[IL]/g, '1')
  return hash('sha256', plain, 'base64url')
}
