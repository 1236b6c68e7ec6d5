import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { run } from '../../../src/cli/run.ts'
import { answerJson, answerProblem, startServer } from '../support/fake-server.ts'
import { fakeSurroundings } from '../support/fake-surroundings.ts'
import { apiDocument } from '../support/api-document.ts'

const access = (url: string) => ['--service', url, '--key', 'k1']
const key = (id: string, more: object = {}) => ({
  id,
  name: 'Shop',
  scopes: ['messages:read', '*'],
  account: 'account_default',
  expiresAt: null,
  lastUsedAt: '2026-01-02T03:04:05.678Z',
  ...more,
})

describe('nuncio keys list', () => {
  it('passes flags as parameters of the query, and separates columns by tabs', async (t) => {
    const server = await startServer(t, (response) => answerJson(response, 200, [key('key_1')]))
    const surroundings = fakeSurroundings()
    const flags = [
      '--name',
      'Shop',
      '--createdAt_gte',
      '2026',
      '--sort',
      'name_asc',
      '--pageSize=2',
    ]

    const code = await run(
      ['keys', 'list', ...flags, '--name', 'Bar', ...access(server.url)],
      surroundings,
    )

    assert.equal(code, 0, surroundings.err.text())
    assert.equal(
      server.received[0]?.path,
      '/v1/keys?name=Shop&name=Bar&createdAt_gte=2026&sort=name_asc&pageSize=2',
    )
    assert.equal(
      surroundings.out.text(),
      'key_1\tShop\tmessages:read,*\taccount_default\t\t2026-01-02T03:04:05.678Z\n',
    )
  })

  it('aligns columns under their names on a terminal, and cuts what does not fit', async (t) => {
    const items = [key('key_1', { name: 'A\u001b[2J\u202e' }), key('key_22')]
    const next = { link: '</v1/keys?after=c1>; rel="next"' }
    const server = await startServer(t, (response) => answerJson(response, 200, items, next))
    const surroundings = fakeSurroundings({
      environment: { NO_COLOR: '1' },
      out: { terminal: true, columns: 40, write: () => {} },
    })

    await run(['keys', 'list', ...access(server.url)], surroundings)

    assert.deepEqual(surroundings.out.text().split('\n'), [
      'id      name              scopes',
      'key_1   A\\u001b[2J\\u202e  messages:read…',
      'key_22  Shop              messages:read…',
      '',
    ])
    assert.equal(surroundings.err.text(), 'More: repeat the command with --after c1\n')
  })

  it('prints JSON, and the columns that are asked for', async (t) => {
    const server = await startServer(t, (response) => answerJson(response, 200, [key('key_1')]))
    const [json, chosen] = [fakeSurroundings(), fakeSurroundings()]

    await run(['keys', 'list', '--json', ...access(server.url)], json)
    await run(['keys', 'list', '--fields', 'name,lastUsedAt', ...access(server.url)], chosen)

    assert.deepEqual(JSON.parse(json.out.text()), [key('key_1')])
    assert.equal(chosen.out.text(), 'key_1\tShop\t2026-01-02T03:04:05.678Z\n')
    assert.equal(server.received[1]?.path, '/v1/keys?fields=name%2ClastUsedAt')
  })

  it('names the nearest parameter that the service knows', async (t) => {
    const server = await startServer(t, (response, { path }) => {
      if (path === '/v1/openapi.json') return answerJson(response, 200, apiDocument)
      const errors = [{ parameter: 'page-size', detail: 'is not a field' }]
      answerProblem(response, 400, { title: 'Invalid parameter', errors })
    })
    const surroundings = fakeSurroundings()

    const code = await run(
      ['keys', 'list', '--page-size', '1', ...access(server.url)],
      surroundings,
    )

    assert.equal(code, 1)
    assert.match(
      surroundings.err.text(),
      /^The flag --page-size is unknown. Did you mean --pageSize\?$/m,
    )
    assert.match(surroundings.err.text(), /page-size is not a field/)
  })

  it('leaves a refused value to the service', async (t) => {
    const server = await startServer(t, (response, { path }) => {
      if (path === '/v1/openapi.json') return answerJson(response, 200, apiDocument)
      const errors = [{ parameter: 'sort_gte', detail: 'must be a date-time' }]
      answerProblem(response, 400, { title: 'Invalid parameter', errors })
    })
    const surroundings = fakeSurroundings()

    await run(['keys', 'list', '--sort_gte', 'yesterday', ...access(server.url)], surroundings)

    assert.match(surroundings.err.text(), /^Refused: .*\n {2}sort_gte must be a date-time$/m)
    assert.doesNotMatch(surroundings.err.text(), /unknown/)
  })

  it('names the word, the flag or the object that is wrong', async () => {
    const fault = async (...args: readonly string[]) => {
      const surroundings = fakeSurroundings()
      const code = await run(['keys', ...args, '--key', 'k1'], surroundings)
      return `${code} ${surroundings.err.text().split('\n')[0]}`
    }

    assert.equal(await fault('lsit'), '2 There is no "keys lsit". Did you mean list?')
    assert.equal(await fault(), '2 Give list, show, create, change, delete: nuncio keys list')
    assert.equal(await fault('show'), '2 Give the id: nuncio keys show <id>')
    assert.equal(
      await fault('show', 'key_1', '--jsno'),
      '2 The flag --jsno is unknown. Did you mean --json?',
    )
    assert.match(await fault('list', '--name'), /^2 The flag --name needs a value/)
  })
})

describe('nuncio keys list --watch', () => {
  it('prints new and changed instances until it is stopped', async (t) => {
    const pages = [[key('key_1')], [key('key_1'), key('key_2')], [key('key_1', { name: 'X' })]]
    const server = await startServer(t, (response, _request, index) => {
      answerJson(response, 200, pages[Math.min(index, pages.length - 1)])
    })
    const surroundings = fakeSurroundings()
    const running = run(['keys', 'list', '--watch', '--json', ...access(server.url)], surroundings)

    await surroundings.out.until(/"X"/)
    surroundings.requestStop('SIGINT')

    assert.equal(await running, 0)
    const lines = surroundings.out.text().trim().split('\n')
    assert.deepEqual(
      lines.map((line) => `${JSON.parse(line).id} ${JSON.parse(line).name}`),
      ['key_1 Shop', 'key_2 Shop', 'key_1 X'],
    )
    assert.equal(surroundings.clock.waits[0], 2_000)
  })

  it('draws the table again on a terminal', async (t) => {
    const server = await startServer(t, (response, _request, index) =>
      answerJson(response, 200, [key(`key_${index}`)]),
    )
    const surroundings = fakeSurroundings({ out: { terminal: true, write: () => {} } })
    const running = run(['keys', 'list', '--watch', ...access(server.url)], surroundings)

    await surroundings.out.until(/key_1/)
    surroundings.requestStop('SIGINT')

    assert.equal(await running, 0)
    assert.equal(server.received[0]?.path, '/v1/keys?pageSize=20')
    assert.ok(surroundings.out.text().startsWith('\u001b[H\u001b[J'))
  })
})

describe('the command of a collection that has no own one', () => {
  it('lists it with the first plain fields, nested ones by their path', async (t) => {
    const contact = { id: 'ann', name: 'Ann', tags: [], active: true, createdAt: 'x', note: null }
    const server = await startServer(t, (response) => answerJson(response, 200, [contact]))
    const surroundings = fakeSurroundings()

    await run(['groups/friends/contacts', 'list', ...access(server.url)], surroundings)

    assert.equal(server.received[0]?.path, '/v1/groups/friends/contacts')
    assert.equal(surroundings.out.text(), 'ann\tAnn\ttrue\t\n')
  })

  it('shows to whom statistics belong, and their credits', async (t) => {
    const row = { id: 's1', date: 'd', account: 'shop', messages: 2, credits: 0.5 }
    const server = await startServer(t, (response) => answerJson(response, 200, [row]))
    const surroundings = fakeSurroundings()

    await run(['statistics', 'list', ...access(server.url)], surroundings)

    assert.equal(surroundings.out.text(), 'd\t\tshop\t\t\t2\t\t0.5\n')
  })

  it('names the nearest collection if the service does not have it', async (t) => {
    const server = await startServer(t, (response, { path }) => {
      if (path === '/v1/openapi.json') return answerJson(response, 200, apiDocument)
      answerProblem(response, 404, { title: 'Not found' })
    })
    const surroundings = fakeSurroundings()

    const code = await run(['contact', 'list', ...access(server.url)], surroundings)

    assert.equal(code, 1)
    assert.match(
      surroundings.err.text(),
      /^The service has no collection contact\. Did you mean contacts\?$/m,
    )
  })
})
