import type { ClientConfig } from '../config/client-settings.ts'
import { wait } from '../core/ports/clock.ts'
import type { JsonObject } from '../core/json.ts'
import { isBusy, retryAfterMs } from './busy.ts'
import { callApi } from './call-api.ts'
import { Unreachable } from './fetch-api.ts'
import { parseJsonObject } from './parse-json-object.ts'
import { printable } from './printable.ts'
import { problemText } from './problem-text.ts'
import { failed } from './refuse.ts'
import { exitCodeOf, statusLines } from './status-lines.ts'
import type { ProcessContext } from './process-context.ts'

/** The simulator takes a fifth of a second, a telephone network seconds to days. */
const firstDelayMs = 100
const delayMsMax = 3_000
const delayGrowth = 1.5

/** So often in a row the service may give no answer: it may be starting anew. */
const silencesMax = 5

const never = new AbortController().signal

/** What another look at a message gives. */
type Look =
  | { readonly kind: 'MESSAGE'; readonly message: JsonObject; readonly etag: string | null }
  | { readonly kind: 'UNCHANGED' }
  | { readonly kind: 'SILENCE'; readonly waitMs: number; readonly text: string }
  | { readonly kind: 'REFUSAL'; readonly text: string }

/** Prints a message's identifier, then each status as it comes, until the last; returns the exit code. */
export async function followMessage(
  created: JsonObject,
  config: ClientConfig,
  surroundings: ProcessContext,
): Promise<number> {
  const id = String(created['id'])
  surroundings.out.write(`${printable(id)}\n`)
  const show = statusLines(surroundings)

  let message = created
  let etag: string | null = null
  let delayMs = firstDelayMs
  let silences = 0
  for (;;) {
    show(message)
    const exitCode = exitCodeOf(message)
    if (exitCode !== null) return exitCode

    await wait(surroundings.clock, delayMs, never)
    delayMs = Math.min(delayMs * delayGrowth, delayMsMax)
    const look = await lookAgain(id, etag, config, surroundings)
    silences = look.kind === 'SILENCE' ? silences + 1 : 0
    if (look.kind === 'MESSAGE') ({ message, etag } = look)
    if (look.kind === 'SILENCE') delayMs = Math.max(delayMs, look.waitMs)
    if (look.kind === 'REFUSAL' || (look.kind === 'SILENCE' && silences === silencesMax)) {
      surroundings.err.write(`${look.text}\n`)
      return failed
    }
  }
}

async function lookAgain(
  id: string,
  etag: string | null,
  config: ClientConfig,
  surroundings: ProcessContext,
): Promise<Look> {
  try {
    const answer = await callApi(surroundings, config, {
      method: 'GET',
      path: `/v1/messages/${encodeURIComponent(id)}`,
      headers: etag === null ? {} : { 'if-none-match': etag },
    })
    if (answer.status === 304) return { kind: 'UNCHANGED' }

    const message = answer.status === 200 ? parseJsonObject(answer.text) : null
    if (message !== null) return { kind: 'MESSAGE', message, etag: answer.headers.get('etag') }
    const text = problemText(answer)
    return isBusy(answer)
      ? { kind: 'SILENCE', waitMs: retryAfterMs(answer), text }
      : { kind: 'REFUSAL', text }
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error
    return { kind: 'SILENCE', waitMs: 0, text: error.message }
  }
}
