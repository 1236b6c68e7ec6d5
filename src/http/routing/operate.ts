import type { MaybePromise } from '../../core/maybe-promise.ts'
import type {
  EngineOperation,
  OperationRequest,
  OperationResponse,
} from '../../engine/operation.ts'
import type { ServedVersion } from '../../versions/served-version.ts'
import type { PlainResponse } from '../server/request.ts'
import type { Edge } from './edge.ts'
import { holdResponse } from './hold-response.ts'
import { translateResponse, translateProblem, translateRequest } from './translate-versions.ts'

/**
 * Runs an operation for a request of a version, and translates the response to that version. Throws
 * the translated problem.
 */
export function operate(
  operation: EngineOperation,
  sent: OperationRequest,
  version: ServedVersion,
  { engine, inFlight }: Pick<Edge, 'engine' | 'inFlight'>,
): MaybePromise<PlainResponse> {
  const failed = (error: unknown): never => {
    throw translateProblem(error, sent, version)
  }
  const finish = (response: OperationResponse): PlainResponse =>
    holdResponse(inFlight, sent.principal.account, translateResponse(response, sent, version))
  try {
    const response = operation(translateRequest(sent, version), engine)
    if (response instanceof Promise) return response.then(finish, failed)
    return finish(response)
  } catch (error) {
    return failed(error)
  }
}
