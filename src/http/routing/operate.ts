import type { AccountId } from '../../core/account.ts'
import { qualifiedName } from '../../core/declaration/collection.ts'
import { isJsonObject, type JsonValue } from '../../core/json.ts'
import type { MaybePromise } from '../../core/maybe-promise.ts'
import { type InputError, Problem, withErrors } from '../../core/problem.ts'
import type {
  EngineOperation,
  OperationRequest,
  OperationResponse,
} from '../../engine/operation.ts'
import { type FilterParameter, reserved } from '../../engine/query/filter-parameters.ts'
import { withHintFor } from '../../core/declaration/nearest.ts'
import { type CollectionTranslation, unknownMark } from '../../versions/collection-translation.ts'
import type { ServedVersion } from '../../versions/versions.ts'
import { type BytesInFlight, uncountedBytesMax } from '../server/bytes-in-flight.ts'
import type { PlainResponse } from '../server/request.ts'
import type { Edge } from './edge.ts'

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

/**
 * Counts a large response for its account until it is written: clients that do not read would otherwise
 * fill the memory. Throws what `add` throws.
 */
export function holdResponse(
  inFlight: BytesInFlight,
  account: AccountId,
  response: PlainResponse,
): PlainResponse {
  const { body } = response
  if (typeof body !== 'string' || body.length <= uncountedBytesMax) return response
  const held = inFlight.hold(account)
  held.add(body.length)
  return { ...response, written: held.release }
}

/** Translates a request of an older version to the newest. */
function translateRequest(request: OperationRequest, version: ServedVersion): OperationRequest {
  const translation = translationOf(request, version)
  if (translation === null) return request
  return {
    ...request,
    parameters: parametersUp(translation, request.parameters),
    unknownFields: translation.unknown,
    body: () => translation.bodyUp(request.body()),
  }
}

/** Translates a response of the newest version to an older one. */
function translateResponse(
  response: OperationResponse,
  request: OperationRequest,
  version: ServedVersion,
): OperationResponse {
  const translation = translationOf(request, version)
  if (translation === null || response.body === null) return response
  const value: JsonValue = JSON.parse(response.body)
  const unwanted = unwantedOf(translation, request.parameters)
  return { ...response, body: JSON.stringify(valueDown(translation, unwanted, value)) }
}

/** A problem with its pointers and parameters as an older version names them. */
function translateProblem(
  thrown: unknown,
  request: OperationRequest,
  version: ServedVersion,
): unknown {
  const translation = translationOf(request, version)
  if (translation === null || !(thrown instanceof Problem) || thrown.errors.length === 0)
    return thrown
  const errors = thrown.errors.map((error, index) => errorDown(translation, error, index))
  return withErrors(thrown, errors)
}

/** Members are shown, and named in parameters, as the collection that they are of has them. */
function translationOf(
  { compiled }: OperationRequest,
  version: ServedVersion,
): CollectionTranslation | null {
  return version.translation(qualifiedName(compiled.members ?? compiled.declared))
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
