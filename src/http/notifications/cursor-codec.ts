import { createCipheriv, createDecipheriv, createHmac, timingSafeEqual } from 'node:crypto'
import { defaultAccount, type AccountId } from '../../core/account.ts'
import type { Collection } from '../../core/declaration/collection.ts'
import type { Random } from '../../core/ports/random.ts'
import type { LogReader, LogPosition } from '../../core/ports/notification-log.ts'
import type { Store } from '../../core/ports/store.ts'

/** Places in the notification log as one account sees them. */
export interface CursorCodec {
  /** Writes a place so that nobody can tell from it how much others are told. */
  encode(position: LogPosition): string
  /**
   * Writes a place that another account's entries may have moved: otherwise each time, so that nobody
   * can tell whether it moved.
   */
  encodeSalted(position: LogPosition): string
  /** Reads a place that was given to this account, or `0` for the beginning; null for anything else. */
  decode(text: string): LogPosition | null
}

/** Finds the places as an account sees them. */
export type CursorCodecs = (account: AccountId) => Promise<CursorCodec>

/**
 * Places of the store's log are counted over all accounts. What leaves the service is therefore
 * sealed, with a secret that is kept with the installation's own account in the collection given.
 */
export function cursorCodecs(store: Store, accounts: Collection, random: Random): CursorCodecs {
  let secret: Promise<string> | null = null
  return async (account) => {
    secret ??= readSecret(store, accounts).catch((error: unknown) => {
      secret = null
      throw error
    })
    return cursorCodec(account, await secret, store.log, random)
  }
}

async function readSecret(store: Store, accounts: Collection): Promise<string> {
  const own = await store.read(defaultAccount, (reader) =>
    reader.find(accounts, { id: defaultAccount }),
  )
  const { placeSecret }: { placeSecret?: string } = JSON.parse(own?.hidden ?? '{}')
  if (placeSecret === undefined)
    throw new Error('the store was not prepared: it has no placeSecret')
  return placeSecret
}

/** Octets that make a place look new. */
const saltBytes = 5
/** Octets of a tag, which is the initial counter of the cipher, too. */
const tagBytes = 16
/** Positions are filled up to a multiple of this, so that their length tells nothing. */
const blockBytes = 24

/** Encrypts under a tag that is made of the account and the place (a synthetic initialisation vector). */
function cursorCodec(
  account: AccountId,
  secret: string,
  log: LogReader,
  random: Random,
): CursorCodec {
  const [tagKey, key] = [derived(secret, 'tag'), derived(secret, 'cipher')]
  const tagOf = (plain: Uint8Array): Buffer =>
    createHmac('sha256', tagKey).update(`${account}\n`).update(plain).digest().subarray(0, tagBytes)
  const encode = (text: string): string => {
    const plain = Buffer.from(text.padEnd(Math.ceil(text.length / blockBytes) * blockBytes))
    const tag = tagOf(plain)
    const cipher = createCipheriv('aes-256-ctr', key, tag)
    return Buffer.concat([tag, cipher.update(plain), cipher.final()]).toString('base64url')
  }
  return {
    encode,
    encodeSalted: (position) => {
      const salt = Buffer.from(random.bytes(saltBytes)).toString('base64url')
      return encode(`${position} ${salt}`)
    },
    decode: (text) => {
      if (text === '0') return log.parse(text)
      const bytes = Buffer.from(text, 'base64url')
      if (bytes.length < tagBytes + blockBytes || bytes.toString('base64url') !== text) return null
      const tag = bytes.subarray(0, tagBytes)
      const decipher = createDecipheriv('aes-256-ctr', key, tag)
      const plain = Buffer.concat([decipher.update(bytes.subarray(tagBytes)), decipher.final()])
      return timingSafeEqual(tagOf(plain), tag)
        ? log.parse(plain.toString().split(' ', 1)[0] ?? '')
        : null
    },
  }
}

function derived(secret: string, purpose: string): Buffer {
  return createHmac('sha256', secret).update(purpose).digest()
}
