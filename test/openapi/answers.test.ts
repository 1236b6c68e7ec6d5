import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { standardOffer } from '../../src/wiring/wire.ts'
import { startApi, type TestApi } from '../support/api.ts'
import { madeDocument, offered } from './documented.ts'
import { asking } from './support/asking.ts'

const document = madeDocument()
const { call, create, walk } = asking(document)

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
