import assert from 'node:assert/strict'
import { isJsonObject, type JsonObject } from '../../../src/core/json.ts'
import {
  referredName,
  type Method,
  type OpenApiDocument,
  type OpenApiOperation,
} from '../../../src/openapi/document.ts'
import type { Extras, Read, TestApi } from '../../support/api.ts'
import { schemaValidator } from '../schema-validator.ts'

/** Asks the service, and holds every answer to what a document says of it. */
export interface Asking {
  /** Makes an instance of the example in the document; null where the path does not take one. */
  create(api: TestApi, template: string, path?: string): Promise<string | null>
  /** Goes through the methods of an instance, its end last. */
  walk(api: TestApi, template: string, path: string): Promise<void>
  /** Sends one request; returns the status. */
  call(
    api: TestApi,
    method: Method,
    template: string,
    target: string,
    body?: unknown,
    extras?: Extras,
  ): Promise<number>
}

/** Prepares to ask the service what a document says of it. */
export function asking(document: OpenApiDocument): Asking {
  const check = checker(document)
  const call: Asking['call'] = async (api, method, template, target, body, extras) =>
    check(method, template, await api.request(method.toUpperCase(), target, body, extras))
  return {
    call,
    create: async (api, template, path = template) => {
      const post = document.paths[template]?.post
      const body = exampleOf(document, post)
      // A POST that does not create is a list whose parameters stand in the body.
      if (body === null || post?.responses['201'] === undefined) return null
      const { contact: _, ...own } = body
      const answer = await api.post(path, own)
      assert.equal(check('post', template, answer), 201, answer.text)
      return String(answer.json.id)
    },
    walk: async (api, template, path) => {
      const { put, patch } = document.paths[template] ?? {}
      // Any entity tag: a message is on its way, and may change between two requests.
      const known = { headers: { 'if-none-match': '*' } }
      const seen = { headers: { 'if-match': '*' } }
      const sent = exampleOf(document, put)

      assert.equal(await call(api, 'get', template, path), 200)
      assert.equal(await call(api, 'get', template, path, undefined, known), 304)
      if (sent !== null) {
        const { contact: _, ...own } = sent
        await call(api, 'put', template, path, own, seen)
        await call(api, 'put', template, `${path.slice(0, path.lastIndexOf('/'))}/chosen`, own)
      }
      const patched = exampleOf(document, patch)
      if (patch !== undefined) await call(api, 'patch', template, path, patched, seen)
      await call(api, 'delete', template, path, undefined, seen)
    },
  }
}

/** Holds an answer to what the document says of its status: header fields, media type, schema. */
function checker(
  document: OpenApiDocument,
): (method: Method, template: string, answer: Read) => number {
  const validatorOf = schemaValidator(document)
  return (method, template, answer) => {
    const { status, headers, text, json } = answer
    const operation = document.paths[template]?.[method]
    const response = operation?.responses[String(status)]
    const what = `${method} ${template} ${status} ${text}`
    assert.ok(response !== undefined, `the document does not have ${what}`)

    const name = referredName(response)
    const found = name === null ? response : document.components.responses[name]
    assert.ok(found !== undefined && 'description' in found, what)
    const type = (headers['content-type'] ?? '').split(';', 1)[0] ?? ''
    const place =
      name === null
        ? `paths/${template.replaceAll('/', '~1')}/${method}/responses/${status}`
        : `components/responses/${name}`
    if (found.content === undefined) assert.equal(text, '', what)
    else {
      assert.ok(type in found.content, `${what} is ${type}`)
      const validate = validatorOf(`${place}/content/${type.replaceAll('/', '~1')}/schema`)
      assert.ok(validate(json), `${what}\n${JSON.stringify(validate.errors)}`)
    }
    const told = new Set(Object.keys(found.headers ?? {}).map((each) => each.toLowerCase()))
    for (const field of ['etag', 'location', 'link', 'www-authenticate', 'x-request-id']) {
      assert.equal(field in headers, told.has(field), `${what}: ${field}`)
    }
    return status
  }
}

/** The example of what an operation takes. */
function exampleOf(
  document: OpenApiDocument,
  operation: OpenApiOperation | undefined,
): JsonObject | null {
  const [media] = Object.values(operation?.requestBody?.content ?? {})
  const name = media === undefined ? null : referredName(media.schema)
  const [example] = document.components.schemas[name ?? '']?.examples ?? []
  return isJsonObject(example) ? example : null
}
