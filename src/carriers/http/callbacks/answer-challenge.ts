import type { CallbackHead, CallbackOutcome } from '../../../core/ports/callback.ts'
import { settledValues } from '../requests/message-values.ts'
import type { HttpSettings } from '../settings.ts'
import { asItIs, fill, readTemplate } from '../../template.ts'
import { queryOf } from './read-callback.ts'
import { same } from './check-signature.ts'

/** The most characters of a challenge. */
const challengeMax = 500

/**
 * Answers a GET by which a provider tests a callback. Returns null if the request is not such a test,
 * and a refusal if its value is wrong.
 */
export function answerChallenge(
  id: string,
  settings: HttpSettings,
  callback: CallbackHead,
): CallbackOutcome | null {
  const { callbackChallenge: declared, callbacks } = settings
  const query = queryOf(callback)
  const answer = declared === null ? null : query.get(declared.answer)
  if (declared === null || answer === null || callback.method !== 'GET') return null
  const wanted = fill(readTemplate(declared.value), settledValues(id, settings), asItIs) ?? ''
  const isKnown = callbacks.some(({ name }) => name === callback.name)
  const isMeant = same(query.get(declared.parameter) ?? '', wanted)
  if (!isKnown || !isMeant || !/^[\x20-\x7e]+$/.test(answer) || answer.length > challengeMax) {
    return { kind: 'REFUSED' }
  }
  const counts = { receipts: 0, messages: 0, passedOver: 0, notUnderstood: 0 }
  return { kind: 'TAKEN', status: 200, contentType: 'text/plain', body: answer, counts }
}
