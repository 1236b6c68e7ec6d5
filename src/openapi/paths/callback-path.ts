import type { OpenApiOperation, PathItem } from '../document.ts'
import { refusals } from './problem-responses.ts'

/** The collection whose instances providers call back. */
export const calledBack = 'carriers'

/** Refusals that a provider can meet. */
const refused = [400, 401, 413, 415, 500, 503] as const

const parameters = [
  {
    name: 'id',
    in: 'path',
    description: 'The identifier of the carrier.',
    required: true,
    schema: { type: 'string', pattern: '^[A-Za-z0-9_.~-]{1,64}$' },
    example: 'provider',
  },
  {
    name: 'name',
    in: 'path',
    description: 'The name in its `callbacks`.',
    required: true,
    schema: { type: 'string', pattern: '^[a-z][a-zA-Z0-9-]{0,39}$' },
    example: 'receipts',
  },
] as const

/** Describes POST and GET /v1/carriers/{id}/callbacks/{name}, by which providers report events of messages. */
export function callbackPath(): PathItem {
  const post: OpenApiOperation = {
    operationId: 'postCarrierCallback',
    tags: [calledBack],
    summary: 'Call back a carrier',
    description:
      'Events of a carrier of the type `HTTP`: receipts and messages, in the form that the ' +
      'carrier declares in `callbacks`. After storing all, the response is that of `callbackAnswer`. It ' +
      'needs no key: the carrier declares in `callbackAuthentication` how the provider authenticates.',
    parameters: [...parameters],
    requestBody: {
      required: true,
      content: {
        'application/json': { schema: { description: 'The content from the provider.' } },
        'application/x-www-form-urlencoded': {
          schema: { type: 'object', description: 'The content from the provider.' },
        },
      },
    },
    responses: {
      200: { description: 'Stored.' },
      204: { description: 'Stored, if the carrier declares 204.' },
      ...refusals(refused),
    },
    security: [],
  }
  const get: OpenApiOperation = {
    operationId: 'getCarrierCallback',
    tags: [calledBack],
    summary: 'Call back a carrier by GET',
    description:
      'The same with the event in the query, for callbacks that declare the method `GET`. It also answers ' +
      'a test of the provider, as the carrier declares in `callbackChallenge`.',
    parameters: [...parameters],
    responses: post.responses,
    security: [],
  }
  return { get, post }
}
