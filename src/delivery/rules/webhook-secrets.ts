import { keyPairFrom, secretFrom, secretKey } from '@nuncio/receiver'
import type { HiddenWebhook } from '../../collections/webhooks.ts'
import type { Change } from '../../core/declaration/rules.ts'
import type { JsonObject, JsonValue } from '../../core/json.ts'
import type { Instant } from '../../core/ports/clock.ts'
import type { Random } from '../../core/ports/random.ts'
import type { InputError } from '../../core/problem.ts'
import { isMonotonous } from '../../core/secrets.ts'
import { parseTimestamp, timestamp } from '../../core/timestamp.ts'

/** The secrets of a webhook, the newest first. */
type Secrets = NonNullable<HiddenWebhook['secrets']>

/** The secrets after a change. */
export interface RuledSecrets {
  readonly secrets: Secrets
  /** Generated secret to show in the response; null if there is none. */
  readonly made: string | null
  readonly errors: readonly InputError[]
}

/** Half of the longest that Standard Webhooks allows. */
const secretBytes = 32

/** Maximum simultaneously valid secrets: each adds a signature to the header. */
const secretsMax = 8

/** Takes the secret of a change: absent leaves things as they are, null asks for a new one. */
export function ruledSecrets(
  input: JsonObject,
  before: Secrets,
  random: Random,
  now: Instant,
): RuledSecrets {
  const given = input['secret']
  const [newest] = before
  const isKept = given === undefined || given === newest?.secret
  if (newest !== undefined && isKept) return { secrets: before, made: null, errors: [] }

  const made = typeof given === 'string' ? null : secretFrom(random.bytes(secretBytes))
  const secret = made ?? String(given)
  const errors = made === null ? faults(secret) : []
  return { secrets: rotated(secret, before, now), made, errors }
}

function rotated(secret: string, before: Secrets, now: Instant): Secrets {
  const others = before.filter((each) => each.secret !== secret)
  return overlapping({ secret, until: null }, others, now).slice(0, secretsMax)
}

function faults(secret: string): readonly InputError[] {
  try {
    secretKey(secret)
    if (!isMonotonous(Buffer.from(secret.slice('whsec_'.length), 'base64'))) return []
    return [{ pointer: '/secret', detail: 'must be random: it has hardly any different bytes' }]
  } catch {
    const detail = 'must be whsec_ and 24 to 64 bytes in base64'
    return [{ pointer: '/secret', detail }]
  }
}

/** Secret; an old one has an end. */
interface EndingSecret {
  readonly until: string | null
}

/** Validity of an old secret, in milliseconds: time to update every receiver. */
const overlapMs = 24 * 3_600_000

/** Puts a new secret first; each older one ends when its time is over. */
function overlapping<E extends EndingSecret>(
  newest: E,
  before: readonly E[],
  now: Instant,
): readonly E[] {
  const end = now + overlapMs
  const old = before
    .map((each) => ({ each, until: endOf(each.until) ?? end }))
    .filter(({ until }) => until > now)
    .map(({ each, until }) => ({ ...each, until: timestamp(until) }))
  return [newest, ...old]
}

function endOf(until: string | null): Instant | null {
  return until === null ? null : parseTimestamp(until)
}

/** The key pairs of a webhook that sign `v1a`, the newest first. */
type KeyPairs = NonNullable<HiddenWebhook['keyPairs']>

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
  const errors = keyFaults(input['publicKey'] ?? null, newest?.publicKey)
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

function keyFaults(given: JsonValue, known: string | undefined): readonly InputError[] {
  if (given === null || given === known) return []
  return [{ pointer: '/publicKey', detail: 'must be the key that was read, or null' }]
}
