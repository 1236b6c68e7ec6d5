import type { JsonObject } from '../../core/json.ts'
import { problems, type ProblemName } from '../../core/problem.ts'
import { refer, type OpenApiResponse, type Schema } from '../document.ts'
import { headers, type SharedHeader } from './shared-headers.ts'

/** The schema of a problem (RFC 9457). */
export const problemSchema: Schema = {
  type: 'object',
  description: 'A problem (RFC 9457). It names the input and the remedy.',
  properties: {
    type: {
      type: 'string',
      format: 'uri-reference',
      description: 'The page of this kind of problem, relative to this service.',
    },
    title: { type: 'string', description: 'The kind of the problem.' },
    status: { type: 'integer', description: 'The status code of the response.' },
    detail: { type: 'string', description: 'The cause and the remedy.' },
    instance: { type: 'string', format: 'uri-reference', description: 'The path of the request.' },
    errors: {
      type: 'array',
      description: 'Every fault of the input.',
      items: {
        type: 'object',
        properties: {
          pointer: {
            type: 'string',
            description: 'The position in the body, as JSON Pointer (RFC 6901).',
          },
          parameter: { type: 'string', description: 'The name of the parameter.' },
          detail: { type: 'string', description: 'The fault of the input.' },
        },
        required: ['detail'],
      },
    },
    requestId: { type: 'string', description: 'The identifier of the request in the log.' },
  },
  required: ['type', 'title', 'status', 'detail', 'instance', 'requestId'],
}

/** Status codes of problems, with the header fields of their responses. */
const headerOf: Readonly<Record<number, readonly SharedHeader[]>> = {
  401: ['Authenticate'],
  415: ['AcceptPost', 'AcceptPatch', 'AcceptEncoding'],
  429: ['RetryAfter', 'RateLimit', 'RateLimitPolicy'],
  503: ['RetryAfter'],
}

/** Returns the problem responses, one for each status code, by the name of their component. */
export function problemResponses(): Readonly<Record<string, OpenApiResponse>> {
  return Object.fromEntries(
    problemNames.map((name) => [componentOf(problems[name][0]), response(problems[name][0])]),
  )
}

/** Refers to the problem responses of these status codes, by status code. */
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

/** Examples of the errors in a problem that has some. */
const errorsOf: Readonly<Partial<Record<ProblemName, readonly JsonObject[]>>> = {
  'invalid-body': [{ pointer: '/to', detail: 'is required' }],
  'invalid-parameter': [{ parameter: 'page', detail: 'must be a whole number from 1' }],
}

/** Returns an example of a problem. */
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
