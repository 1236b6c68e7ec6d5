import { isJsonObject, type JsonObject, type JsonValue } from '../core/json.ts'
import type { ApiAnswer } from './call-api.ts'
import { parseJsonObject } from './parse-json-object.ts'
import { printable } from './printable.ts'

/** What to do about a refusal, where it can be said without knowing the request. */
const cures: Readonly<Record<number, string>> = {
  401: 'Give a valid key with --key or NUNCIO_KEY. The first start on an empty store shows one.',
  403: 'The key is valid and may not do this: use another with --key or NUNCIO_KEY.',
}

/** Tells a person why the service refused a request, from its problem document (RFC 9457). */
export function problemText({ status, headers, text, url }: ApiAnswer): string {
  const location = headers.get('location')
  if (status >= 300 && status < 400 && location !== null) {
    return `The service is elsewhere: ${printable(location)} (${status}). Name that address with --url.`
  }

  const problem = parseJsonObject(text)
  return problem !== null && typeof problem['title'] === 'string'
    ? describeProblem(status, problem, url)
    : `The answer is ${status} and no explanation. Is there a Nuncio at this address?`
}

function describeProblem(status: number, problem: JsonObject, url: string): string {
  const { title, detail, type, requestId } = problem
  const errors = inputErrors(problem)
  return [
    `Refused: ${String(title)} (${status})`,
    ...(errors.length > 0 ? errors : textOf(detail)),
    ...textOf(cures[status]),
    ...textOf(pageOf(type, url), 'More: '),
    ...textOf(requestId, 'Request: '),
  ]
    .map(printable)
    .join('\n  ')
}

/** The page about a kind of problem: `about:blank` has none. */
function pageOf(type: JsonValue | undefined, url: string): string | null {
  const page = typeof type === 'string' ? URL.parse(type, url) : null
  return page?.protocol.startsWith('http') === true ? page.href : null
}

function textOf(value: unknown, label = ''): readonly string[] {
  return typeof value === 'string' && value !== '' ? [`${label}${value}`] : []
}

function inputErrors({ errors }: JsonObject): readonly string[] {
  if (!Array.isArray(errors)) return []
  return errors
    .filter(isJsonObject)
    .map(({ pointer, parameter, detail }) => `${String(pointer ?? parameter)} ${String(detail)}`)
}
