import { qualifiedName } from '../core/collection.ts'
import { isJsonObject, type JsonValue } from '../core/json.ts'
import { invalidParameters, Problem, type InputError } from '../core/problem.ts'
import type { Parameter } from '../engine/query/filter-parameters.ts'
import { reserved } from '../engine/query/query-parameters.ts'
import type { Answer, OperationRequest } from '../engine/operation.ts'
import type { CollectionTranslation } from '../versions/collection-translation.ts'
import type { ServedVersion } from '../versions/versions.ts'

/** What a request of an older version says, in the words of the newest. */
export function requestUp(request: OperationRequest, version: ServedVersion): OperationRequest {
  const translation = version.translation(qualifiedName(request.compiled.declared))
  if (translation === null) return request
  return {
    ...request,
    parameters: parametersUp(translation, request.parameters),
    unknownFields: translation.unknown,
    body: () => translation.bodyUp(request.body()),
  }
}

/** What an answer of the newest version says, in the words of an older one. */
export function answerDown(
  answer: Answer,
  request: OperationRequest,
  version: ServedVersion,
): Answer {
  const translation = version.translation(qualifiedName(request.compiled.declared))
  if (translation === null || answer.body === null) return answer
  const value: JsonValue = JSON.parse(answer.body)
  return { ...answer, body: JSON.stringify(valueDown(translation, value)) }
}

/** A problem with its pointers and parameters as an older version names them. */
export function problemDown(
  thrown: unknown,
  request: OperationRequest,
  version: ServedVersion,
): unknown {
  const translation = version.translation(qualifiedName(request.compiled.declared))
  if (translation === null || !(thrown instanceof Problem) || thrown.errors.length === 0)
    return thrown
  const errors = thrown.errors.map((error) => errorDown(translation, error))
  return new Problem(thrown.problem, thrown.message, { errors, headers: thrown.headers })
}

function valueDown(translation: CollectionTranslation, value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map((item: JsonValue) => valueDown(translation, item))
  return isJsonObject(value) ? translation.instanceDown(value) : value
}

function errorDown(translation: CollectionTranslation, error: InputError): InputError {
  if ('parameter' in error) return { ...error, parameter: translation.nameDown(error.parameter) }
  const [empty = '', first = '', ...rest] = error.pointer.split('/')
  return { ...error, pointer: [empty, translation.nameDown(first), ...rest].join('/') }
}

function parametersUp(
  translation: CollectionTranslation,
  parameters: readonly Parameter[],
): readonly Parameter[] {
  const errors: InputError[] = []
  const nameUp = (parameter: string, name: string): string => {
    const up = translation.nameUp(name)
    if (up !== null) return up
    errors.push({
      parameter,
      detail: parameter === name ? 'is not a field' : `${name} is not a field`,
    })
    return name
  }
  const namesUp = (parameter: string, list: string): string =>
    list
      .split(',')
      .map((name) => nameUp(parameter, name.trim()))
      .join(',')
  const up = parameters.map(([name, value]): Parameter => {
    if (name === 'sort' || name === 'fields') return [name, namesUp(name, value)]
    if (reserved.includes(name)) return [name, value]
    return [nameUp(name, name), translation.valueUp(name, value)]
  })
  if (errors.length > 0) throw invalidParameters(errors)
  return up
}
