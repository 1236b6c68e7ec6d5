import { keyPairFrom } from '@nuncio/receiver'
import type { HiddenWebhook } from '../../collections/webhooks.ts'
import type { Instant } from '../../core/ports/clock.ts'
import type { JsonObject, JsonValue } from '../../core/json.ts'
import type { InputError } from '../../core/problem.ts'
import type { Random } from '../../core/ports/random.ts'
import type { Change } from '../../core/declaration/rules.ts'
import { overlapping } from './webhook-secrets.ts'

/** The key pairs of a webhook that sign `v1a`, the newest first. */
export type KeyPairs = NonNullable<HiddenWebhook['keyPairs']>

/** The key pairs after a change, and the public key to show. */
export interface RuledKeys {
  readonly keyPairs: KeyPairs
  readonly publicKey: string | null
  readonly errors: readonly InputError[]
}

const seedBytes = 32

/** Maximum simultaneously valid key pairs. With the secrets they bound the signatures of a request. */
const keyPairsMax = 4

/**
 * Applies a change of the public key. A pair is generated when `v1a` is first requested, and by a
 * PATCH with null. In a PUT null keeps the pair, so that GET then PUT changes nothing.
 */
export function ruledKeys(
  { method, body, input, after }: Change,
  before: KeyPairs,
  random: Random,
  now: Instant,
): RuledKeys {
  const [newest] = before
  const errors = faults(input['publicKey'] ?? null, newest?.publicKey)
  if (!signsWith('v1a', after)) return { keyPairs: before, publicKey: null, errors }

  const isReplaced = method === 'PATCH' && body['publicKey'] === null
  if (newest !== undefined && !isReplaced) {
    return { keyPairs: before, publicKey: newest.publicKey, errors }
  }
  const made = { ...keyPairFrom(random.bytes(seedBytes)), until: null }
  const keyPairs = overlapping(made, before, now).slice(0, keyPairsMax)
  return { keyPairs, publicKey: made.publicKey, errors }
}

/** Returns true if a webhook uses a signature scheme of Standard Webhooks. */
export function signsWith(scheme: 'v1' | 'v1a', webhook: JsonObject): boolean {
  const { signatures } = webhook
  return Array.isArray(signatures) ? signatures.includes(scheme) : scheme === 'v1'
}

function faults(given: JsonValue, known: string | undefined): readonly InputError[] {
  if (given === null || given === known) return []
  return [{ pointer: '/publicKey', detail: 'must be the key that was read, or null' }]
}
