import { defaultAccount } from '../core/account.ts'
import type { Clock } from '../core/ports/clock.ts'
import type { NewId } from '../core/id.ts'
import { keyDigest, newKeySecret } from '../core/secrets.ts'
import type { Random } from '../core/ports/random.ts'
import type { Store, Writer } from '../core/ports/store.ts'
import { timestamp } from '../core/timestamp.ts'
import { accounts, type Account } from './accounts.ts'
import { carriers, simulatorId } from './carriers.ts'
import { keys, type ApiKey } from './keys.ts'

/** The identifier of the administrator's key that the configuration gives. */
const configuredKeyId = 'key_admin'

/** Octets of the secret that seals places in the notification log. */
const placeSecretBytes = 32

/**
 * Makes what an empty store needs: the administrator's account and key. A key that the configuration
 * names is put in at every start, in the place of the one it named before.
 * Returns the secret of a key that was made here, to be shown once; else null.
 */
export function firstStart(
  store: Store,
  configuredSecret: string | null,
  { clock, random, newId }: { clock: Clock; random: Random; newId: NewId },
): Promise<string | null> {
  return store.transact(async (transaction) => {
    const writer = transaction.in(defaultAccount)
    const now = timestamp(clock.now())
    const own = await writer.find(accounts, { id: defaultAccount })
    await makeSimulator(writer, now)
    const isEmpty = own === null
    if (own?.hidden?.includes('placeSecret') !== true) {
      const account = own === null ? administratorsAccount(now) : JSON.parse(own.doc)
      const placeSecret = Buffer.from(random.bytes(placeSecretBytes)).toString('base64url')
      await writer.save(accounts, { id: defaultAccount }, account, { placeSecret })
    }
    if (configuredSecret !== null) {
      await putKey(writer, configuredKeyId, configuredSecret, now)
      return null
    }
    if (!isEmpty) return null
    const id = newId(keys.noun)
    const secret = newKeySecret(id, random)
    await putKey(writer, id, secret, now)
    return secret
  })
}

/** The simulator exists from the first start and takes what no other carrier's route matches. */
async function makeSimulator(writer: Writer, now: string): Promise<void> {
  if ((await writer.find(carriers, { id: simulatorId })) !== null) return
  const made = {
    id: simulatorId,
    name: 'Simulator',
    type: 'SIMULATOR',
    active: true,
    routes: [],
    downLimitMs: 30_000,
    settings: { delayMs: null },
    createdAt: now,
    updatedAt: now,
  }
  await writer.save(carriers, { id: simulatorId }, made, null)
}

function administratorsAccount(now: string): Omit<Account, 'creditBalance'> {
  const days = { messageRetentionDays: null, bodyRetentionDays: null }
  return {
    id: defaultAccount,
    name: 'Default',
    active: true,
    ...days,
    limits: null,
    createdAt: now,
    updatedAt: now,
  }
}

async function putKey(writer: Writer, id: string, secret: string, now: string): Promise<void> {
  const digest = keyDigest(secret)
  const before = await writer.find(keys, { id })
  if (before?.hidden?.includes(digest) === true) return
  const key: Omit<ApiKey, 'lastUsedAt'> = {
    id,
    name: 'Administrator',
    scopes: ['admin'],
    account: defaultAccount,
    expiresAt: null,
    createdAt: now,
    updatedAt: now,
  }
  await writer.save(keys, { id }, key, { digest })
}
