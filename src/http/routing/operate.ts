import type { MaybePromise } from '../../core/maybe-promise.ts'
import type { Engine, EngineOperation, OperationRequest } from '../../engine/operation.ts'
import type { ServedVersion } from '../../versions/served-version.ts'
import type { PlainResponse } from '../server/request.ts'
import { translateResponse, translateProblem, translateRequest } from './translate-versions.ts'

/**
 * Runs an operation for a request of a version, and translates the response to that version. Throws
 * the translated problem.
 */
export function operate(
  operation: EngineOperation,
  sent: OperationRequest,
  version: ServedVersion,
  engine: Engine,
): MaybePromise<PlainResponse> {
  const failed = (error: unknown): never => {
    throw translateProblem(error, sent, version)
  }
  try {
    const response = operation(translateRequest(sent, version), engine)
    if (response instanceof Promise) {
      return response.then((one) => translateResponse(one, sent, version), failed)
    }
    return translateResponse(response, sent, version)
  } catch (error) {
    return failed(error)
  }
}
