import { hash } from 'node:crypto'
import {
  idempotentResponses,
  type IdempotentResponse,
} from '../core/declaration/idempotent-responses.ts'
import { Problem } from '../core/problem.ts'
import type { Writer } from '../core/ports/store.ts'
import { timestamp } from '../core/timestamp.ts'
import type { OperationResponse, Engine, OperationRequest } from './operation.ts'

/** The time for which a response is stored for repeated requests. */
const keptMs = 24 * 3_600_000

/**
 * Returns the stored response to the request's `Idempotency-Key`; null for the first request.
 * Throws `idempotency-key-reused` if the key was used for a different request.
 */
export async function replay(
  request: OperationRequest,
  writer: Writer,
  engine: Engine,
): Promise<OperationResponse | null> {
  const { idempotency } = request
  if (idempotency === null) return null
  const found = await writer.find(idempotentResponses, { id: idOf(request, idempotency.key) })
  if (found === null) return null
  const kept: IdempotentResponse = JSON.parse(found.doc)
  if (kept.expiresAt <= engine.clock.now()) return null
  if (kept.fingerprint === idempotency.fingerprint) return JSON.parse(kept.response)
  throw new Problem(
    'idempotency-key-reused',
    'This Idempotency-Key came with another request before.',
  )
}

/**
 * Keeps a response in the transaction of the write it is about: neither exists without the other. Of two
 * transactions that keep one under the same key, one is repeated and finds the response of the other. Throws
 * `limit-reached` if the account has too many.
 */
export async function keepAnswer(
  request: OperationRequest,
  answer: OperationResponse,
  writer: Writer,
  engine: Engine,
): Promise<void> {
  const { idempotency, principal } = request
  if (idempotency === null) return
  const now = engine.clock.now()
  const date = timestamp(now)
  const kept: IdempotentResponse = {
    id: idOf(request, idempotency.key),
    fingerprint: idempotency.fingerprint,
    response: JSON.stringify(answer),
    expiresAt: now + keptMs,
    createdAt: date,
    updatedAt: date,
  }
  const maximum = principal.limits?.idempotencyBytes ?? Infinity
  engine.idempotencyUse?.add(writer.account, kept.response.length, maximum)
  await writer.save(idempotentResponses, { id: kept.id }, kept, null)
}

/**
 * Returns the identifier of a response. Each API key has separate idempotency keys; neither contains a line
 * break.
 */
function idOf({ principal }: OperationRequest, key: string): string {
  return hash('sha256', `${principal.keyId}\n${key}`, 'base64url')
}
