import { createCipheriv, createDecipheriv, createHmac, timingSafeEqual } from 'node:crypto'
import { defaultAccount, type AccountId } from '../../core/account.ts'
import type { Collection } from '../../core/declaration/collection.ts'
import type { Random } from '../../core/ports/random.ts'
import { type LogPosition, parsePosition } from '../../core/ports/notification-log.ts'
import type { Store } from '../../core/ports/store.ts'

/** A codec of the log positions of one account. */
export interface CursorCodec {
  /** Encodes a position as an encrypted cursor, which hides how many records other accounts have. */
  encode(position: LogPosition): string
  /**
   * Encodes a position that records of other accounts may have moved. The text differs each time,
   * so that it hides whether the position moved.
   */
  encodeSalted(position: LogPosition): string
  /** Decodes a cursor of this account, or `0` for the beginning; null for any other text. */
  decode(text: string): LogPosition | null
}

/** Returns the codec of an account. */
export type CursorCodecs = (account: AccountId) => Promise<CursorCodec>

/**
 * Returns the codecs of a store. Its positions count records, so cursors are
 * encrypted. The installation's account in the given collection stores the secret.
 */
export function cursorCodecs(store: Store, accounts: Collection, random: Random): CursorCodecs {
  let secret: Promise<string> | null = null
  return async (account) => {
    secret ??= readSecret(store, accounts).catch((error: unknown) => {
      secret = null
      throw error
    })
    return cursorCodec(account, await secret, random)
  }
}

/** Reads the secret that all nodes of an installation share. */
export async function readSecret(store: Store, accounts: Collection): Promise<string> {
  const own = await store.read(defaultAccount, (reader) =>
    reader.find(accounts, { id: defaultAccount }),
  )
  const { placeSecret }: { placeSecret?: string } = JSON.parse(own?.hidden ?? '{}')
  if (placeSecret === undefined)
    throw new Error('the store was not prepared: it has no placeSecret')
  return placeSecret
}

/** Random octets that make a cursor differ each time. */
const saltBytes = 5
/** Octets of a tag, which is the initial counter of the cipher, too. */
const tagBytes = 16
/** Positions are padded to a multiple of this, so that the length reveals nothing. */
const blockBytes = 24

/** Encrypts under a tag of account and position (a synthetic initialisation vector). */
function cursorCodec(account: AccountId, secret: string, random: Random): CursorCodec {
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
      if (text === '0') return parsePosition(text)
      const bytes = Buffer.from(text, 'base64url')
      if (bytes.length < tagBytes + blockBytes || bytes.toString('base64url') !== text) return null
      const tag = bytes.subarray(0, tagBytes)
      const decipher = createDecipheriv('aes-256-ctr', key, tag)
      const plain = Buffer.concat([decipher.update(bytes.subarray(tagBytes)), decipher.final()])
      return timingSafeEqual(tagOf(plain), tag)
        ? parsePosition(plain.toString().split(' ', 1)[0] ?? '')
        : null
    },
  }
}

function derived(secret: string, purpose: string): Buffer {
  return createHmac('sha256', secret).update(purpose).digest()
}
