import { choosesAccount } from '../../engine/account-reach.ts'
import type { Access } from '../../core/account.ts'
import type { ResourceMethod } from '../../core/declaration/collection.ts'
import type { Compiled } from '../../engine/compiled.ts'
import { type ComponentNames, inWords } from '../component-names.ts'
import {
  type OpenApiOperation,
  type OpenApiParameter,
  type OpenApiRequestBody,
  type OpenApiResponse,
  refer,
  type Referable,
  type Schema,
} from '../document.ts'
import { listParameters } from './list-parameters.ts'
import { refusals } from './problem-responses.ts'
import { headers } from './shared-headers.ts'
import { sharedParameters } from './shared-parameters.ts'

/** Inputs for the operations of a collection. */
export interface PathSource {
  /** The version that the paths begin with, such as `v1`. */
  readonly version: string
  readonly compiled: Compiled
  /** The collection that this one is nested in. */
  readonly parent: Compiled | null
  readonly names: ComponentNames
  /** The name of the schema of responses to writes. */
  readonly written: string
  /** Remarks on the rules of the collection, by method. */
  readonly remarks: Remarks
}

/** Sentences that go with the methods of one collection. */
export type Remarks = Readonly<Partial<Record<ResourceMethod | 'LIST', string>>>

/** An operation without the parts that all operations share. */
export type PlainSource = Omit<OpenApiOperation, 'tags' | 'security'> & { readonly access: Access }

/** Refusals that every operation can meet. */
export const everywhere = [400, 401, 403, 406, 414, 429, 500, 503] as const

/** GET on a collection. */
export function listOperation({ compiled, parent, names }: PathSource): PlainSource {
  const { declared } = compiled
  const order = declared.order === 'newestFirst' ? 'newest' : 'oldest'
  return {
    access: 'read',
    operationId: `list${names.plural}`,
    summary: `List ${inWords(declared.name)}${ofParent(parent)}`,
    description:
      `One page of the matching instances, the ${order} first unless \`sort\` selects ` +
      'another order. With `Accept: text/csv` all of them, as a table.',
    parameters: listParameters(compiled, parent, names),
    responses: {
      200: response('One page, as a bare array.', {
        content: json({ type: 'array', items: refer('schemas', names.single) }),
        headers: headers('Link', 'TotalCount', 'PreferenceApplied'),
      }),
      ...refusals([...everywhere, ...(parent === null ? [] : [404])]),
    },
  }
}

/** POST on a collection. */
export function createOperation({ compiled, parent, names, written }: PathSource): PlainSource {
  const lists = compiled.declared.methods.collection.includes('GET')
  return {
    access: 'write',
    operationId: `create${names.single}`,
    summary: `Create ${one(compiled)}${ofParent(parent)}`,
    description:
      'Creates an instance under a new identifier. A retry creates another, unless the request ' +
      'has an `Idempotency-Key`.' +
      (lists ? `\n\n${longQuery(names)}` : ''),
    parameters: [refer('parameters', 'IdempotencyKey'), refer('parameters', 'DryRun')],
    requestBody: jsonBody(`${names.single}Input`),
    responses: {
      200: dryRunResponse(written),
      201: response('The new instance.', {
        content: json(refer('schemas', written)),
        headers: headers('Location', 'ETag'),
      }),
      ...refusals([...everywhere, ...(parent === null ? [] : [404]), 409, 413, 415, 422]),
    },
  }
}

/** Describes a list query with its parameters in the body: QUERY, or POST as its description says. */
export function queryOperation(source: PathSource): PlainSource {
  const { names } = source
  const { parameters: _, description, responses, ...rest } = listOperation(source)
  const schema = refer('schemas', `${names.single}Query`)
  return {
    ...rest,
    operationId: `query${names.plural}`,
    summary: `${rest.summary}, with the parameters in the body`,
    description: `${description} For queries too long for a URI: the response is that of GET. ${byPost}`,
    parameters: [refer('parameters', 'Prefer')],
    requestBody: { required: true, content: { ...json(schema), ...form(schema) } },
    responses: { ...responses, ...refusals([413, 415]) },
  }
}

/** GET on an instance. */
export function readOperation({ compiled, parent, names }: PathSource): PlainSource {
  return {
    access: 'read',
    operationId: `read${names.single}`,
    summary: `Read ${one(compiled)}${ofParent(parent)}`,
    description: 'The instance, or 304 if the client has it already.',
    parameters: [
      ...(choosesAccount(compiled, parent) ? [refer('parameters', 'Account')] : []),
      refer('parameters', 'Fields'),
      refer('parameters', 'IfNoneMatch'),
      refer('parameters', 'IfMatch'),
    ],
    responses: {
      200: response('The instance.', {
        content: json(refer('schemas', names.single)),
        headers: headers('ETag'),
      }),
      304: refer('responses', 'NotModified'),
      ...refusals([...everywhere, 404, 412]),
    },
  }
}

/** PUT on an instance. */
export function putOperation({ compiled, parent, names, written }: PathSource): PlainSource {
  return {
    access: 'write',
    operationId: `put${names.single}`,
    summary: `Replace or create ${one(compiled)}${ofParent(parent)}`,
    description:
      'Replaces the instance as a whole, or creates it under the identifier in the path. ' +
      'The same request again changes nothing.' +
      (compiled.declared.conditional
        ? ' An instance that exists is replaced under `If-Match`.'
        : ''),
    parameters: [
      refer('parameters', 'IfMatch'),
      refer('parameters', 'CreateOnly'),
      refer('parameters', 'DryRun'),
    ],
    requestBody: jsonBody(`${names.single}Input`),
    responses: {
      200: writeResponse('The instance, whether it was replaced or created.', written),
      ...refusals([
        ...everywhere,
        ...(parent === null ? [] : [404]),
        409,
        412,
        413,
        415,
        ...demanded(compiled),
      ]),
    },
  }
}

/** PATCH on an instance. */
export function patchOperation({ compiled, parent, names, written }: PathSource): PlainSource {
  const media = { schema: refer('schemas', `${names.single}Patch`) }
  return {
    access: 'write',
    operationId: `patch${names.single}`,
    summary: `Change ${one(compiled)}${ofParent(parent)}`,
    description:
      'A JSON Merge Patch (RFC 7396): the fields that it names change, null clears a field.',
    parameters: [match(compiled), refer('parameters', 'DryRun')],
    requestBody: {
      required: true,
      content: { 'application/merge-patch+json': media, 'application/json': media },
    },
    responses: {
      200: writeResponse('The instance as it is now.', written),
      ...refusals([...everywhere, 404, 409, 412, 413, 415, ...demanded(compiled)]),
    },
  }
}

/** DELETE on an instance. */
export function deleteOperation({ compiled, parent, names }: PathSource): PlainSource {
  return {
    access: 'write',
    operationId: `delete${names.single}`,
    summary: `Delete ${one(compiled)}${ofParent(parent)}`,
    description: 'Removes the instance and everything nested in it.',
    parameters: [match(compiled), refer('parameters', 'DryRun')],
    responses: {
      204: refer('responses', 'Deleted'),
      ...refusals([...everywhere, 404, 409, 412, ...demanded(compiled)]),
    },
  }
}

/** Responses without a body that operations share. */
export const emptyResponses = {
  NotModified: { description: 'The client has the current instance.', headers: headers('ETag') },
  Deleted: { description: 'Deleted.', headers: headers('PreferenceApplied') },
} as const satisfies Readonly<Record<string, OpenApiResponse>>

/** A body of JSON. */
export function json(schema: Schema): NonNullable<OpenApiResponse['content']> {
  return { 'application/json': { schema } }
}

function form(schema: Schema): NonNullable<OpenApiResponse['content']> {
  return { 'application/x-www-form-urlencoded': { schema } }
}

const byPost = 'A POST queries too: of a form, or with `X-HTTP-Method-Override: GET`.'

function longQuery({ single }: ComponentNames): string {
  return (
    'Also queries with parameters too long for a URI: as a form, or as JSON with ' +
    `\`X-HTTP-Method-Override: GET\`, whose body is a \`${single}Query\`, as \`x-query\` describes. A query ` +
    'requires the scope for reading, responds 200 like `GET`, and creates nothing.'
  )
}

function jsonBody(schema: string): OpenApiRequestBody {
  return { required: true, content: json(refer('schemas', schema)) }
}

function response(
  description: string,
  rest: Omit<OpenApiResponse, 'description'>,
): OpenApiResponse {
  return { description, ...rest }
}

function writeResponse(description: string, written: string): OpenApiResponse {
  return response(description, {
    content: json(refer('schemas', written)),
    headers: headers('ETag', 'PreferenceApplied'),
  })
}

/** Returns the response to a dry run of a POST. */
function dryRunResponse(written: string): OpenApiResponse {
  return response('With `Prefer: handling=dry-run`: the instance that a write would store.', {
    content: json(refer('schemas', written)),
    headers: headers('PreferenceApplied'),
  })
}

/** The condition under which an instance is changed: some collections demand one. */
function match({ declared }: Compiled): Referable<OpenApiParameter> {
  if (!declared.conditional) return refer('parameters', 'IfMatch')
  return { ...sharedParameters.IfMatch, required: true }
}

function demanded({ declared }: Compiled): readonly number[] {
  return declared.conditional ? [428] : []
}

/** “a message”, “an account”. */
function one({ declared }: Compiled): string {
  const words = inWords(declared.noun)
  return `${/^[aeiou]/i.test(words) ? 'an' : 'a'} ${words}`
}

function ofParent(parent: Compiled | null): string {
  return parent === null ? '' : ` of ${one(parent)}`
}
