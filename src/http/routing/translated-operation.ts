import { withHintFor } from '../../core/declaration/nearest.ts'
import { isJsonObject, type JsonValue } from '../../core/json.ts'
import { type InputError, Problem, withErrors } from '../../core/problem.ts'
import type {
  EngineOperation,
  OperationRequest,
  OperationResponse,
} from '../../engine/operation.ts'
import { type FilterParameter, reserved } from '../../engine/query/filter-parameters.ts'
import { type CollectionTranslation, unknownMark } from '../../versions/collection-translation.ts'

/** Returns an operation that takes requests of an older version, and returns responses and problems of it. */
export function translatedOperation(
  operation: EngineOperation,
  translation: CollectionTranslation,
): EngineOperation {
  return (request, engine) => {
    const failed = (error: unknown): never => {
      throw problemDown(translation, error)
    }
    const finish = (response: OperationResponse): OperationResponse =>
      responseDown(translation, response, request.parameters)
    try {
      const response = operation(requestUp(translation, request), engine)
      if (response instanceof Promise) return response.then(finish, failed)
      return finish(response)
    } catch (error) {
      return failed(error)
    }
  }
}

/** Translates a request of an older version to the newest. */
function requestUp(
  translation: CollectionTranslation,
  request: OperationRequest,
): OperationRequest {
  return {
    ...request,
    parameters: parametersUp(translation, request.parameters),
    unknownFields: translation.unknown,
    body: () => translation.bodyUp(request.body()),
  }
}

/** Translates a response of the newest version to an older one. */
function responseDown(
  translation: CollectionTranslation,
  response: OperationResponse,
  parameters: readonly FilterParameter[],
): OperationResponse {
  if (response.body === null) return response
  const value: JsonValue = JSON.parse(response.body)
  const unwanted = unwantedOf(translation, parameters)
  return { ...response, body: JSON.stringify(valueDown(translation, unwanted, value)) }
}

/** A problem with its pointers and parameters as an older version names them. */
function problemDown(translation: CollectionTranslation, thrown: unknown): unknown {
  if (!(thrown instanceof Problem) || thrown.errors.length === 0) return thrown
  const errors = thrown.errors.map((error, index) => errorDown(translation, error, index))
  return withErrors(thrown, errors)
}

function valueDown(
  translation: CollectionTranslation,
  unwanted: readonly string[],
  value: JsonValue,
): JsonValue {
  if (Array.isArray(value))
    return value.map((item: JsonValue) => valueDown(translation, unwanted, item))
  if (!isJsonObject(value)) return value
  const shown = translation.instanceDown(value)
  if (unwanted.length === 0) return shown
  return Object.fromEntries(Object.entries(shown).filter(([name]) => !unwanted.includes(name)))
}

/**
 * Returns the removed fields that a response omits: it shows them by default, but not if `fields`
 * selects others.
 */
function unwantedOf(
  { gone }: CollectionTranslation,
  parameters: readonly FilterParameter[],
): readonly string[] {
  if (gone.length === 0) return []
  const wanted = parameters.filter(([name]) => name === 'fields').flatMap(([, list]) => names(list))
  return wanted.length === 0 ? [] : gone.filter((name) => !wanted.includes(name))
}

function names(list: string): readonly string[] {
  return list.split(',').map((name) => name.trim())
}

function errorDown(
  translation: CollectionTranslation,
  error: InputError,
  faults: number,
): InputError {
  const marked = error.detail.replaceAll(`"${unknownMark}`, '"')
  const said = isNested(error)
    ? marked
    : withHintFor(marked, nameIn(error).replace(unknownMark, ''), translation.names, faults)
  if ('parameter' in error) {
    const detail = choicesDown(translation, error.parameter, said)
    return { parameter: translation.nameDown(error.parameter), detail }
  }
  const [empty = '', first = '', ...rest] = error.pointer.split('/')
  const detail = rest.length === 0 ? choicesDown(translation, first, said) : said
  return { pointer: [empty, translation.nameDown(first), ...rest].join('/'), detail }
}

/** Returns true for a field inside another one, whose name is the same in every version. */
function isNested(error: InputError): boolean {
  return 'pointer' in error && error.pointer.split('/').length > 2
}

/** Returns the name of a faulty field, without the suffix of a comparison. */
function nameIn(error: InputError): string {
  if ('pointer' in error) return error.pointer.slice(1)
  return error.parameter.replace(/_(ne|gte?|lte?|like)$/, '')
}

/** Translates the choices in an error to the older version. */
function choicesDown(translation: CollectionTranslation, name: string, detail: string): string {
  if (!detail.startsWith(choicesBegin)) return detail
  const choices = detail.slice(choicesBegin.length).split(', ')
  return choicesBegin + choices.map((each) => translation.valueDown(name, each)).join(', ')
}

const choicesBegin = 'must be one of '

function parametersUp(
  translation: CollectionTranslation,
  parameters: readonly FilterParameter[],
): readonly FilterParameter[] {
  const namesUp = (list: readonly string[]): string =>
    list.map((name) => translation.nameUp(name)).join(',')
  return parameters.map(([name, value]): FilterParameter => {
    if (name === 'sort') return [name, namesUp(names(value))]
    if (name === 'fields') {
      const kept = names(value).filter((each) => !translation.gone.includes(each))
      return [name, kept.length === 0 ? 'id' : namesUp(kept)]
    }
    if (reserved.includes(name)) return [name, value]
    return [translation.nameUp(name), translation.valueUp(name, value)]
  })
}
