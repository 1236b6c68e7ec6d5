import type { JsonObject } from '../../core/json.ts'
import { problems, type ProblemName } from '../../core/problem.ts'
import { refer, type OpenApiResponse, type Schema } from '../document.ts'
import { headers, type SharedHeader } from './shared-headers.ts'

/** The schema of a problem (RFC 9457). */
export const problemSchema: Schema = {
  type: 'object',
  description: 'A refusal (RFC 9457). It names the input and the cure.',
  properties: {
    type: {
      type: 'string',
      format: 'uri-reference',
      description: 'The page of this kind of problem, relative to this service.',
    },
    title: { type: 'string', description: 'What kind of problem it is.' },
    status: { type: 'integer', description: 'The status code of the answer.' },
    detail: { type: 'string', description: 'What is wrong here.' },
    instance: { type: 'string', format: 'uri-reference', description: 'What was asked for.' },
    errors: {
      type: 'array',
      description: 'Every fault of the input.',
      items: {
        type: 'object',
        properties: {
          pointer: {
            type: 'string',
            description: 'Where in the body, as JSON Pointer (RFC 6901).',
          },
          parameter: { type: 'string', description: 'Which parameter.' },
          detail: { type: 'string', description: 'What is wrong with it.' },
        },
        required: ['detail'],
      },
    },
    requestId: { type: 'string', description: 'What the log has the request under.' },
  },
  required: ['type', 'title', 'status', 'detail', 'instance', 'requestId'],
}

/** The statuses of refusals that a client can get, with what stands in their header. */
const headerOf: Readonly<Record<number, readonly SharedHeader[]>> = {
  401: ['Authenticate'],
  415: ['AcceptPost', 'AcceptPatch', 'AcceptEncoding'],
  429: ['RetryAfter', 'RateLimit', 'RateLimitPolicy'],
  503: ['RetryAfter'],
}

/** The answers that refuse, one for each status that a problem has, by the name of their component. */
export function problemResponses(): Readonly<Record<string, OpenApiResponse>> {
  return Object.fromEntries(
    problemNames.map((name) => [componentOf(problems[name][0]), response(problems[name][0])]),
  )
}

/** Refers to the answers with these statuses, by status. */
export function refusals(
  statuses: readonly number[],
): Readonly<Record<string, ReturnType<typeof refer>>> {
  return Object.fromEntries(
    statuses.map((status) => [String(status), refer('responses', componentOf(status))]),
  )
}

const problemNames = Object.keys(problems) as ProblemName[]

function response(status: number): OpenApiResponse {
  const names = namesOf(status)
  return {
    description: names.map((name) => `${problems[name][1]}. ${problems[name][2]}`).join('\n\n'),
    headers: headers(...(headerOf[status] ?? [])),
    content: {
      'application/problem+json': {
        schema: refer('schemas', 'Problem'),
        examples: Object.fromEntries(names.map((name) => [name, { value: problemExample(name) }])),
      },
    },
  }
}

/** The kinds of refusal that have a status. */
function namesOf(status: number): readonly ProblemName[] {
  return problemNames.filter((name) => problems[name][0] === status)
}

/** The component is called as the first kind of its status is: `NotFound`. */
function componentOf(status: number): string {
  const [first = 'internal'] = namesOf(status)
  return problems[first][1].replaceAll(/ (\w)/g, (_, letter: string) => letter.toUpperCase())
}

/** What a client finds in the errors of a problem that has some. */
const errorsOf: Readonly<Partial<Record<ProblemName, readonly JsonObject[]>>> = {
  'invalid-body': [{ pointer: '/to', detail: 'is required' }],
  'invalid-parameter': [{ parameter: 'page', detail: 'must be a whole number from 1' }],
}

/** A refusal of a kind, as it stands in an answer. */
export function problemExample(name: ProblemName): JsonObject {
  const [status, title, cure] = problems[name]
  const errors = errorsOf[name]
  const [fault] = errors ?? []
  return {
    type: `/problems/${name}`,
    title,
    status,
    detail: fault === undefined ? cure.replaceAll('`', '') : Object.values(fault).join(' '),
    instance: '/v1/messages',
    ...(errors === undefined ? {} : { errors }),
    requestId: 'request_5f3a9c01d20000001',
  }
}
