import { Octokit } from '@octokit/core'
import { paginateRest } from '@octokit/plugin-paginate-rest'
import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { startOnSocket } from '../../support/app.ts'

const Paginating = Octokit.plugin(paginateRest)

/** A client that others wrote for another service, told where ours is and what to accept. */
async function peer(t: TestContext): Promise<InstanceType<typeof Paginating>> {
  const { baseUrl, key } = await startOnSocket(t)
  const octokit = new Paginating({ baseUrl, log: silent })
  octokit.hook.before('request', (options) => {
    options.headers.accept = 'application/json'
    options.headers.authorization = `Bearer ${key}`
  })
  return octokit
}

const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

describe('octokit', () => {
  it('walks a collection by Link, with all the parameters of the first request', async (t) => {
    const octokit = await peer(t)
    for (let index = 0; index < 23; index += 1) {
      const tags = [index % 2 === 0 ? 'even' : 'odd']
      const id = `person-${String(index).padStart(2, '0')}`
      await octokit.request('PUT /v1/contacts/{id}', { id, address: '12345', name: id, tags })
    }

    const even = { tags: 'even', sort: 'name_desc', pageSize: 5, fields: 'name' }
    const all = await octokit.paginate('GET /v1/contacts', even)
    const sizes: number[] = []
    for await (const { data } of octokit.paginate.iterator('GET /v1/contacts', { pageSize: 10 })) {
      sizes.push(data.length)
    }

    const names = all.map((each) => (each as { name: string }).name)
    assert.equal(names.length, 12)
    assert.deepEqual(names, names.toSorted().toReversed())
    assert.deepEqual(Object.keys(all[0] ?? {}), ['id', 'name'])
    assert.deepEqual(sizes, [10, 10, 3])
  })

  it('makes, changes and removes an instance, and is told what is wrong', async (t) => {
    const octokit = await peer(t)

    const made = await octokit.request('POST /v1/contacts', { address: '12345', name: 'Ann' })
    const { id } = made.data as { id: string }
    const changed = await octokit.request('PATCH /v1/contacts/{id}', { id, name: 'Anna' })
    const gone = await octokit.request('DELETE /v1/contacts/{id}', { id })

    assert.deepEqual([made.status, changed.data.name, gone.status], [201, 'Anna', 204])
    await assert.rejects(octokit.request('GET /v1/contacts/{id}', { id }), { status: 404 })
    await assert.rejects(octokit.request('POST /v1/contacts', { nme: 'Ann' }), { status: 400 })
  })
})
