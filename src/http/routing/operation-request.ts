import { hash } from 'node:crypto'
import { Problem } from '../../core/problem.ts'
import type { OperationRequest } from '../../engine/operation.ts'
import { readBody } from './read-body.ts'
import type { Preferences } from './preferences.ts'
import { header, type PlainRequest } from '../server/request.ts'
import type { RoutedResource } from './routes.ts'

/** Results of the checks before an operation. */
interface OperationContext extends Pick<
  OperationRequest,
  'principal' | 'parameters' | 'asSent' | 'version' | 'path' | 'origin'
> {
  readonly resource: RoutedResource
  readonly preferences: Preferences
}

/** Creates the request of an operation. Throws a `Problem` if the idempotency key is malformed. */
export function operationRequest(
  request: PlainRequest,
  { resource, principal, parameters, asSent, version, path, origin, preferences }: OperationContext,
): OperationRequest {
  const key = request.method === 'POST' ? header(request, 'idempotency-key') : undefined
  return {
    compiled: resource.compiled,
    parent: resource.parent,
    id: resource.id ?? '',
    principal,
    conditions: {
      ifMatch: header(request, 'if-match'),
      ifNoneMatch: header(request, 'if-none-match'),
    },
    parameters,
    asSent,
    unknownFields: [],
    version,
    path,
    ...(origin === undefined ? {} : { origin }),
    body: () => readBody(request),
    countExactly: preferences.countExactly,
    disconnected: request.gone,
    idempotency:
      key === undefined ? null : { key: checkKey(key), fingerprint: fingerprint(request) },
  }
}

/**
 * Returns an idempotency key if it is printable and at most 255 characters long, since it is
 * stored.
 */
function checkKey(key: string): string {
  if (/^[\x21-\x7e]{1,255}$/.test(key)) return key
  throw new Problem(
    'invalid-request',
    'Idempotency-Key must be 1 to 255 printable ASCII characters, without spaces.',
  )
}

function fingerprint(request: PlainRequest): string {
  return hash('sha256', `${request.target}\n${hash('sha256', request.body, 'hex')}`, 'base64url')
}
