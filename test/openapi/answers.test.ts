import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { standardOffer } from '../../src/join.ts'
import { isJsonObject, type JsonObject } from '../../src/core/json.ts'
import { referredName, type Method, type Operation } from '../../src/openapi/document.ts'
import { startApi, type Extras, type Read, type TestApi } from '../support/api.ts'
import { madeDocument, offered } from './documented.ts'
import { schemaValidator } from './schema-validator.ts'

const document = madeDocument()
const validatorOf = schemaValidator(document)

describe('an answer of the service', () => {
  for (const path of Object.keys(document.paths).filter((each) => !each.includes('{'))) {
    it(`is what the document says: ${path}`, async (t) => {
      const api = await start(t)

      const made = await create(api, path)
      await call(api, 'get', path, path)
      if (made !== null) await walk(api, `${path}/{id}`, `${path}/${made}`)
    })
  }

  it('is what the document says, of what is nested', async (t) => {
    const api = await start(t)
    const customer = await create(api, '/v1/customers')
    const [template, path] = ['/v1/customers/{id}/orders', `/v1/customers/${customer}/orders`]

    const order = await create(api, template, path)
    await call(api, 'get', template, path)

    await walk(api, `${template}/{subid}`, `${path}/${order}`)
  })

  it('is what the document says, where it refuses', async (t) => {
    const api = await start(t)
    const [all, one] = ['/v1/messages', '/v1/messages/{id}']
    const contract = await create(api, '/v1/contracts')
    const none = { key: null }
    const missing = '/v1/messages/none'

    const statuses = [
      await call(api, 'get', all, `${all}?page=0`),
      await call(api, 'get', all, all, undefined, none),
      await call(api, 'get', all, all, undefined, { headers: { accept: 'text/html' } }),
      await call(api, 'get', all, `${all}?search=${'x'.repeat(8000)}`),
      await call(api, 'get', one, missing),
      await call(api, 'post', all, all, { to: 1 }),
      await call(api, 'post', all, all, {}, { headers: { 'content-type': 'text/plain' } }),
      await call(api, 'put', one, missing, {}, { headers: { 'if-match': '*' } }),
      await call(api, 'delete', one, missing),
      await call(api, 'delete', '/v1/contracts/{id}', `/v1/contracts/${contract}`),
    ]

    assert.deepEqual(statuses, [400, 401, 406, 414, 404, 400, 415, 412, 404, 428])
  })
})

function start(t: TestContext): Promise<TestApi> {
  return startApi(t, { offer: { ...standardOffer, collections: offered } })
}

/** Makes an instance of the example in the document; null where the path does not take one. */
async function create(api: TestApi, template: string, path = template): Promise<string | null> {
  const body = exampleOf(document.paths[template]?.post)
  if (body === null) return null
  const { contact: _, ...own } = body
  const answer = await api.post(path, own)
  assert.equal(check('post', template, answer), 201, answer.text)
  return String(answer.json.id)
}

/** Goes through the methods of an instance, its end last. */
async function walk(api: TestApi, template: string, path: string): Promise<void> {
  const { put, patch } = document.paths[template] ?? {}
  // Any entity tag: a message is on its way, and may change between two requests.
  const known = { headers: { 'if-none-match': '*' } }
  const seen = { headers: { 'if-match': '*' } }
  const sent = exampleOf(put)

  assert.equal(await call(api, 'get', template, path), 200)
  assert.equal(await call(api, 'get', template, path, undefined, known), 304)
  if (sent !== null) {
    const { contact: _, ...own } = sent
    await call(api, 'put', template, path, own, seen)
    await call(api, 'put', template, `${path.slice(0, path.lastIndexOf('/'))}/chosen`, own)
  }
  if (patch !== undefined) await call(api, 'patch', template, path, exampleOf(patch), seen)
  await call(api, 'delete', template, path, undefined, seen)
}

async function call(
  api: TestApi,
  method: Method,
  template: string,
  target: string,
  body?: unknown,
  extras?: Extras,
): Promise<number> {
  return check(method, template, await api.request(method.toUpperCase(), target, body, extras))
}

/** Holds an answer to what the document says of its status: header fields, media type, schema. */
function check(method: Method, template: string, answer: Read): number {
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

/** The example of what an operation takes. */
function exampleOf(operation: Operation | undefined): JsonObject | null {
  const [media] = Object.values(operation?.requestBody?.content ?? {})
  const name = media === undefined ? null : referredName(media.schema)
  const [example] = document.components.schemas[name ?? '']?.examples ?? []
  return isJsonObject(example) ? example : null
}
