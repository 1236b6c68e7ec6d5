import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { startApi, type TestApi } from '../support/api.ts'
import { startOver, storeKinds } from './support/over-stores.ts'

const accept = 'text/csv'

async function rows(api: TestApi, target: string, key = api.adminKey): Promise<readonly string[]> {
  const { status, text } = await api.get(target, { key, headers: { accept } })
  assert.equal(status, 200, text)
  return text.split('\r\n').slice(0, -1)
}

for (const kind of storeKinds) {
  describe(`A list as CSV (${kind})`, () => {
    it('has all selected instances, beyond one page', async (t) => {
      const api = await startOver(t, kind)
      const group = { name: 'All' }
      for (let count = 0; count < 503; count += 1) {
        const id = `c${String(count).padStart(3, '0')}`
        await api.put(`/v1/contacts/${id}`, { name: id, address: '12345' })
      }

      const { headers } = await api.get('/v1/contacts', { headers: { accept } })
      const all = await rows(api, '/v1/contacts?fields=name')
      const some = await rows(api, '/v1/contacts?fields=name&name_gte=c500&sort=name_desc')
      const page = await rows(api, '/v1/contacts?fields=name&page=2&pageSize=2&sort=name_asc')
      await api.put('/v1/groups/g', group)
      await api.post('/v1/groups/g/contacts', { id: 'c007' })
      const members = await rows(api, '/v1/groups/g/contacts')

      assert.equal(headers['content-type'], 'text/csv; charset=utf-8; header=present')
      assert.equal(headers['content-disposition'], 'attachment; filename="contacts.csv"')
      assert.deepEqual([all.length, all[0]], [504, 'id,name'])
      assert.equal(new Set(all).size, 504)
      assert.deepEqual(some, ['id,name', 'c502,c502', 'c501,c501', 'c500,c500'])
      assert.deepEqual(page, ['id,name', 'c002,c002', 'c003,c003'])
      assert.equal(members[0], 'id,name,address,tags,attributes,createdAt,updatedAt')
      assert.match(members[1] ?? '', /^c007,c007,12345,\[\],\{\},/)
    })

    it('quotes cells, flattens objects, and lets no text be a formula', async (t) => {
      const api = await startOver(t, kind)
      await api.put('/v1/contacts/c', {
        name: '=HYPERLINK("http://evil")',
        address: '+4915112345678',
      })
      await api.put('/v1/contacts/d', {
        name: 'Ann, "Ben"\nand Cem',
        address: '12345',
        tags: ['x', 'y'],
      })
      const { json } = await api.post('/v1/messages', { to: '12345', body: '+1+1' })

      const contacts = await api.get('/v1/contacts?fields=name,address,tags', {
        headers: { accept },
      })
      const messages = await rows(api, '/v1/messages?fields=body,status,submission')

      assert.equal(
        contacts.text,
        'id,name,address,tags\r\n' +
          'c,"\'=HYPERLINK(""http://evil"")",+4915112345678,[]\r\n' +
          'd,"Ann, ""Ben""\nand Cem",12345,"[""x"",""y""]"\r\n',
      )
      assert.equal(messages[0], 'id,body,submission.id,submission.date,status.id,status.type')
      assert.match(messages[1] ?? '', new RegExp(`^${json.id},'\\+1\\+1,`))
    })
  })

  describe(`A request for CSV (${kind})`, () => {
    it('is refused like one for JSON, and where there is no list', async (t) => {
      const api = await startOver(t, kind)
      const key = await api.newAccount('acme', ['messages:read'])
      const asked = async (target: string, as = api.adminKey) =>
        (await api.get(target, { key: as, headers: { accept } })).status

      assert.equal(await asked('/v1/contacts', key), 403)
      assert.equal(await asked('/v1/contacts?sort=nope'), 400)
      assert.equal(await asked('/v1/contacts/c'), 406)
      const posted = await api.post('/v1/contacts', { address: '1' }, { headers: { accept } })
      assert.equal(posted.status, 406)
      const json = await api.get('/v1/contacts', {
        headers: { accept: 'application/json, text/csv' },
      })
      assert.equal(json.headers['content-type'], 'application/json')
    })
  })
}

describe('A text that a spreadsheet would run', () => {
  it('gets an apostrophe, also behind blanks and in full width', async (t) => {
    const api = await startApi(t)
    const names = ['=1+1', '  =1+1', '\n=1+1', '\ufeff@x', '\uff1d1+1', '-1', 'a=1']
    for (const [index, name] of names.entries()) {
      await api.put(`/v1/contacts/c${index}`, { name, address: '12345' })
    }

    const { text } = await api.get('/v1/contacts?fields=name&sort=id_asc', { headers: { accept } })

    assert.equal(text.split("'").length - 1, 5, text)
    assert.match(text, /c5,-1\r\nc6,a=1/)
  })
})

describe('The room of an account for what is in transit', () => {
  it('is free again after a HEAD, and after clients that leave in the middle', async (t) => {
    const api = await startApi(t)
    const attributes = Object.fromEntries(
      Array.from({ length: 18 }, (_, index) => [`a${index}`, 'x'.repeat(1000)]),
    )
    for (let count = 0; count < 60; count += 1) {
      await api.put(`/v1/contacts/c${count}`, { name: 'C', address: '12345', attributes })
    }
    const headers = { authorization: `Bearer ${api.adminKey}`, accept }
    const ask = (method: string) =>
      api.handle({ method, target: '/v1/contacts', headers, body: new Uint8Array() })

    // Each has a page of 1 MB, and the account has room for 32 MiB.
    for (let count = 0; count < 40; count += 1) {
      const { status, written } = await ask('HEAD')
      assert.equal(status, 200)
      written?.()
    }
    for (let count = 0; count < 40; count += 1) {
      const { status, body, written } = await ask('GET')
      assert.equal(status, 200)
      assert.ok(typeof body === 'object' && body !== null && Symbol.asyncIterator in body)
      const pieces = body[Symbol.asyncIterator]()
      await pieces.next()
      if (count % 2 === 0) await pieces.next()
      await pieces.return?.()
      written?.()
    }
  })
})
