import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { run } from '../../../src/cli/run.ts'
import type { ProcessContext } from '../../../src/cli/process-context.ts'
import { apiDocument } from '../support/api-document.ts'
import { answerJson, startServer } from '../support/fake-server.ts'
import { fakeSurroundings } from '../support/fake-surroundings.ts'

const stored = { id: 'ann', name: 'Ann', limits: { keys: 3 }, tags: ['a', 'b'], note: null }

/** Runs a command of contacts at a service that stores everything. */
async function contacts(
  t: TestContext,
  args: readonly string[],
  given: Partial<ProcessContext> = {},
) {
  const server = await startServer(t, (response, { path, method }) => {
    if (path === '/v1/openapi.json') return answerJson(response, 200, apiDocument)
    if (method === 'DELETE') return void response.writeHead(204).end()
    answerJson(response, 200, stored)
  })
  const surroundings = fakeSurroundings(given)
  const code = await run(
    ['contacts', ...args, '--service', server.url, '--key', 'k1'],
    surroundings,
  )
  const request = server.received.find(({ path }) => path !== '/v1/openapi.json')
  const body: unknown = request?.body ? JSON.parse(request.body) : undefined
  const target = request && `${request.method} ${request.path}`
  return { code, target, request, body, out: surroundings.out.text(), err: surroundings.err.text() }
}

describe('nuncio <collection> create', () => {
  it('reads flags as the API document types them', async (t) => {
    const flags = {
      name: '49',
      age: '49',
      active: 'false',
      tags: 'a,b',
      'attributes.city': '1',
      'settings.port': '2775',
      'settings.host': 'smsc.example',
      'limits.keys': 'null',
      routes: '{"prefix":"+49"}',
    }
    const args = Object.entries(flags).flatMap(([name, value]) => [`--${name}`, value])

    const { code, target, body, err } = await contacts(t, ['create', ...args, '--tags', 'c'])

    assert.equal(code, 0, err)
    assert.equal(target, 'POST /v1/contacts')
    assert.deepEqual(body, {
      name: '49',
      age: 49,
      active: false,
      tags: ['a', 'b', 'c'],
      attributes: { city: '1' },
      settings: { port: 2775, host: 'smsc.example' },
      limits: { keys: null },
      routes: [{ prefix: '+49' }],
    })
  })

  it('takes a file or standard input, which flags override, and an id', async (t) => {
    const given = { readInput: async () => '{"name":"Ann","age":1}' }

    const { target, body, request } = await contacts(
      t,
      ['create', '--file', '-', '--age', '2', '--id', 'ann', '--dry-run'],
      given,
    )

    assert.equal(target, 'PUT /v1/contacts/ann')
    assert.deepEqual(body, { name: 'Ann', age: 2 })
    assert.equal(request?.headers['if-none-match'], '*')
    assert.equal(request?.headers.prefer, 'handling=dry-run')
  })

  it('leaves a value that is none of its type to the check of the service', async (t) => {
    const { body } = await contacts(t, ['create', '--age', 'old', '--active', 'yes'])

    assert.deepEqual(body, { age: 'old', active: 'yes' })
  })

  it('names every wrong flag, and what is missing', async (t) => {
    const unknown = await contacts(t, [
      'create',
      '--nmae',
      'x',
      '--limits.kyes',
      '1',
      '--createdAt',
      'x',
    ])
    const nothing = await contacts(t, ['create'])
    const file = await contacts(t, ['create', '--file', 'nowhere.json'])
    const noJson = await contacts(t, ['create', '--file', '-'], { readInput: async () => '[]' })

    assert.deepEqual([unknown.code, nothing.code, file.code, noJson.code], [2, 2, 2, 2])
    assert.deepEqual(unknown.err.split('\n').slice(0, 3), [
      'The flag --nmae is unknown. Did you mean --name?',
      'The flag --limits.kyes is unknown. Did you mean --limits.keys?',
      'The service sets createdAt: leave out --createdAt.',
    ])
    assert.match(nothing.err, /^Give the fields as flags, or a file/)
    assert.match(file.err, /^--file cannot be read: ENOENT\.$/m)
    assert.match(noJson.err, /^--file must have one JSON object\.$/m)
    assert.equal(unknown.target, undefined)
  })
})

describe('nuncio <collection>', () => {
  it('shows an instance, a field per line', async (t) => {
    const plain = await contacts(t, ['show', 'ann'])
    const json = await contacts(t, ['show', 'ann', '--json'])
    const aligned = await contacts(t, ['show', 'ann'], {
      environment: { NO_COLOR: '1' },
      out: { terminal: true, write: () => {} },
    })

    assert.equal(plain.target, 'GET /v1/contacts/ann')
    assert.equal(plain.out, 'id\tann\nname\tAnn\nlimits.keys\t3\ntags\ta,b\nnote\t\n')
    assert.deepEqual(JSON.parse(json.out), stored)
    assert.match(aligned.out, /^id {11}ann\nname {9}Ann\nlimits\.keys {2}3\n/)
  })

  it('changes the given fields, and deletes', async (t) => {
    const changed = await contacts(t, ['change', 'ann', '--name', 'null'])
    const deleted = await contacts(t, ['delete', 'ann'])

    assert.equal(changed.target, 'PATCH /v1/contacts/ann')
    assert.deepEqual(changed.body, { name: null })
    assert.equal(deleted.target, 'DELETE /v1/contacts/ann')
    assert.equal(deleted.out, 'Deleted contacts/ann\n')
  })

  it('checks a deletion with --dry-run, and deletes nothing', async (t) => {
    const checked = await contacts(t, ['delete', 'ann', '--dry-run'])
    const deleted = await contacts(t, ['delete', 'ann'])

    assert.equal(checked.request?.headers.prefer, 'handling=dry-run')
    assert.equal(checked.out, 'Could delete contacts/ann; nothing was deleted\n')
    assert.equal(deleted.request?.headers.prefer, undefined)
  })

  it('shows an instance of another account, and says how to write there', async (t) => {
    const shown = await contacts(t, ['show', 'ann', '--account', 'acme'])
    const changed = await contacts(t, ['change', 'ann', '--account', 'acme', '--name', 'x'])
    const deleted = await contacts(t, ['delete', 'ann', '--account', 'acme'])

    assert.equal(shown.target, 'GET /v1/contacts/ann?account=acme')
    assert.match(changed.err, /^A write is in the account of the key: use a key of another account/)
    assert.match(deleted.err, /use a key of acme\. .*"nuncio keys create --account <id>/)
    assert.deepEqual([changed.code, deleted.code], [2, 2])
    assert.deepEqual([changed.target, deleted.target], [undefined, undefined])
  })

  it('says if the API cannot create', async (t) => {
    const server = await startServer(t, (response) => answerJson(response, 200, apiDocument))
    const surroundings = fakeSurroundings()

    const code = await run(
      ['auditEvents', 'create', '--a', 'b', '--service', server.url, '--key', 'k'],
      surroundings,
    )

    assert.equal(code, 1)
    assert.equal(surroundings.err.text(), 'auditEvents cannot be created through the API.\n')
  })
})
