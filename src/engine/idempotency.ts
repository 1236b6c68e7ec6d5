import { Problem } from '../core/problem.ts'
import type { Writer } from '../core/ports/store.ts'
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
  const { idempotency, principal } = request
  if (idempotency === null) return null
  const kept = await writer.findIdempotentResponse(
    principal.keyId,
    idempotency.key,
    engine.clock.now(),
  )
  if (kept === null) return null
  if (kept.fingerprint === idempotency.fingerprint) return JSON.parse(kept.answer)
  throw new Problem(
    'idempotency-key-reused',
    'This Idempotency-Key came with another request before.',
  )
}

/**
 * Keeps an answer in the transaction of the write it is about: neither exists without the other. Throws
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
  const kept = { fingerprint: idempotency.fingerprint, answer: JSON.stringify(answer) }
  const maximum = principal.limits?.idempotencyBytes ?? Infinity
  engine.idempotencyUse?.add(writer.account, kept.answer.length, maximum)
  await writer.storeIdempotentResponse(
    principal.keyId,
    idempotency.key,
    kept,
    engine.clock.now() + keptMs,
  )
}
