import type { MaybePromise } from '../../core/maybe-promise.ts'
import type { Engine, EngineOperation, OperationRequest } from '../../engine/operation.ts'
import type { ServedVersion } from '../../versions/served-version.ts'
import type { PlainAnswer } from '../server/request.ts'
import { translateResponse, translateProblem, translateRequest } from './translate-versions.ts'

/** Lets an operation answer a request that is in the words of a version, in the same words. Throws what it throws. */
export function operate(
  operation: EngineOperation,
  sent: OperationRequest,
  version: ServedVersion,
  engine: Engine,
): MaybePromise<PlainAnswer> {
  const failed = (error: unknown): never => {
    throw translateProblem(error, sent, version)
  }
  try {
    const answer = operation(translateRequest(sent, version), engine)
    if (answer instanceof Promise) {
      return answer.then((one) => translateResponse(one, sent, version), failed)
    }
    return translateResponse(answer, sent, version)
  } catch (error) {
    return failed(error)
  }
}
