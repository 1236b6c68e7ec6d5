import type { JsonValue } from '../../../core/json.ts'
import type { Sent } from '../../../core/ports/outgoing-request.ts'
import type { HttpSettings, EventMeaning } from '../settings.ts'
import { readText } from './read-body.ts'
import { findPattern } from './find-pattern.ts'
import { fits, textAt, valuesAt } from './values-at.ts'

/** Result of a request. */
export interface Answered {
  readonly meaning: EventMeaning
  /** The provider's identifiers of the accepted messages; empty if it names none. */
  readonly ids: readonly string[]
  /** The provider's code of a refusal; null if it names none. */
  readonly code: string | null
  /** The path at which the response lacks an identifier; null if it has one, or needs none. */
  readonly missingId: string | null
  /** When it may be tried again, as far as the provider says so. */
  readonly retryAfterMs: number | null
  /** Reason for the log, without message content and secrets. */
  readonly reason: string
}

type Answer = Extract<Sent, { kind: 'ANSWERED' }>

type AnswerSettings = Pick<HttpSettings, 'answers' | 'answerFormat'>

/** Parses the body of a response; null if it is malformed or broke off. */
export function readContent(
  { body, isWhole }: Answer,
  { answerFormat }: AnswerSettings,
): JsonValue {
  return isWhole ? readText(Buffer.from(body).toString(), answerFormat) : null
}

/** Interprets a response: by the first matching rule, else by its status. */
export function readAnswer(
  answer: Answer,
  settings: AnswerSettings,
  content: JsonValue = readContent(answer, settings),
): Answered {
  const { status, retryAfterMs, isWhole } = answer
  const { answers } = settings
  const rule = answers.find(
    (each) =>
      fitsStatus(status, each.status) &&
      fits({ value: content, parents: [] }, each.where) &&
      fitsPatterns(content, each),
  )
  const ids = rule === undefined ? [] : idsIn(content, rule)
  const code = codeOf(rule === undefined ? null : reasonIn(content, rule))
  const reason = `the provider answered ${status}`
  const meaning = rule?.meaning ?? meaningOf(status, isWhole)
  const expected = rule === undefined ? answers.find(({ id }) => id !== null)?.id : rule.id
  const missingId = meaning === 'ACCEPTED' && ids.length === 0 ? (expected ?? null) : null
  return { meaning, ids, code, missingId, retryAfterMs, reason }
}

type AnswerRule = HttpSettings['answers'][number]

/** A text such as XML has no places to compare: there the patterns tell answers apart. */
function fitsPatterns(content: JsonValue, rule: AnswerRule): boolean {
  if (rule.idPattern !== null && idsIn(content, rule).length === 0) return false
  return rule.reasonPattern === null || reasonIn(content, rule) !== null
}

function idsIn(
  content: JsonValue,
  { id, idPattern: pattern, separator }: AnswerRule,
): readonly string[] {
  const found = id === null ? [] : valuesAt(content, id)
  return found.flatMap((each) => idsOf(each, { pattern, separator })).slice(0, idsMax)
}

function reasonIn(content: JsonValue, { reason, reasonPattern }: AnswerRule): string | null {
  const given = textAt(content, reason)
  return reasonPattern === null || given === null ? given : findPattern(reasonPattern, given)
}

function fitsStatus(status: number, statuses: readonly string[]): boolean {
  const text = String(status)
  return statuses.length === 0 || statuses.some((each) => each === text || each === `${text[0]}xx`)
}

interface IdForm {
  readonly pattern: string | null
  readonly separator: string | null
}

function idsOf(value: JsonValue, { pattern, separator }: IdForm): readonly string[] {
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : ''
  const found = pattern === null ? text : (findPattern(pattern, text) ?? '')
  return splitText(found, separator).filter((id) => id !== '' && id.length <= idMax)
}

/** Splits a text with several values at the declared separator. */
export function splitText(text: string, separator: string | null): readonly string[] {
  return separator === null ? [text] : text.split(separator).map((each) => each.trim())
}

/** The most identifiers of a message: it has no more parts, and each waits for a receipt. */
const idsMax = 255

/** The most characters of an identifier of the provider's. */
export const idMax = 255

/** The most characters of a provider's code. */
const codeMax = 64

/** Returns a code as it can be stored: null if it is empty, too long or unprintable. */
export function codeOf(text: string | null): string | null {
  const code = text?.trim() ?? ''
  return code === '' || code.length > codeMax || /\p{C}/u.test(code) ? null : code
}

/**
 * Interprets a response that matches no rule. A 2xx counts as accepted with any body, because a duplicate
 * is worse than a missing identifier. If the provider refuses the account and not the message, the message
 * keeps waiting.
 */
function meaningOf(status: number, isWhole: boolean): EventMeaning {
  if (status < 300) return isWhole ? 'ACCEPTED' : 'UNCERTAIN'
  return byStatus[status] ?? (status < 400 || status >= 600 ? 'UNAVAILABLE' : otherwise(status))
}

function otherwise(status: number): EventMeaning {
  return status < 500 ? 'REJECTED' : 'UNCERTAIN'
}

const byStatus: Readonly<Record<number, EventMeaning>> = {
  401: 'UNAVAILABLE',
  402: 'UNAVAILABLE',
  403: 'UNAVAILABLE',
  404: 'UNAVAILABLE',
  405: 'UNAVAILABLE',
  407: 'UNAVAILABLE',
  408: 'RETRY',
  410: 'UNAVAILABLE',
  415: 'UNAVAILABLE',
  425: 'RETRY',
  429: 'THROTTLED',
  501: 'UNAVAILABLE',
  503: 'RETRY',
  505: 'UNAVAILABLE',
}
