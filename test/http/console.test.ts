import assert from 'node:assert/strict'
import { mkdir, writeFile } from 'node:fs/promises'
import { describe, it, type TestContext } from 'node:test'
import { consolePage } from '../../src/http/pages/console.ts'
import type { PlainResponse } from '../../src/http/server/request.ts'
import { Problem } from '../../src/core/problem.ts'
import { temporaryDirectory } from '../stores/temporary-directory.ts'

const script = '/console/assets/main-Dk3x9a.js'

const files: Readonly<Record<string, string>> = {
  'index.html': '<!doctype html><title>Console</title>',
  'assets/main-Dk3x9a.js': 'start()',
  'assets/main-Dk3x9a.js.br': 'brotli',
  'assets/main-Dk3x9a.js.gz': 'gzip',
  'icon.svg': '<svg/>',
  'csp.json': '{"styleHashes":["sha256-abc+/DEF=","unsafe-inline","sha256-x\'; script-src *"]}',
}

async function served(t: TestContext, content = files) {
  const directory = await temporaryDirectory()
  t.after(() => directory[Symbol.asyncDispose]())
  await mkdir(directory.file('assets'))
  for (const [name, text] of Object.entries(content)) await writeFile(directory.file(name), text)
  const page = consolePage(directory.file(''))
  return async (target: string, headers: Readonly<Record<string, string>> = {}) =>
    page({ method: 'GET', target, headers })
}

function textOf({ body }: PlainResponse): string {
  return body instanceof Uint8Array ? Buffer.from(body).toString() : String(body)
}

describe('The console', () => {
  it('is its first page for every path that is a screen', async (t) => {
    const get = await served(t)

    for (const target of [
      '/console',
      '/console/',
      '/console/messages/m1?live=1',
      '/console/index.html',
    ]) {
      const response = await get(target)
      assert.equal(textOf(response), files['index.html'], target)
      assert.equal(response.headers['content-type'], 'text/html; charset=utf-8')
      assert.equal(response.headers['cache-control'], 'no-cache')
    }
  })

  it('keeps hashed files for ever, and has no other in the place of a missing one', async (t) => {
    const get = await served(t)

    const found = await get(script)

    assert.deepEqual(
      [found.headers['cache-control'], found.headers['content-type'], textOf(found)],
      ['public, max-age=31536000, immutable', 'text/javascript; charset=utf-8', 'start()'],
    )
    await assert.rejects(get('/console/assets/main-0ld.js'), isNotFound)
    assert.equal((await get('/console/icon.svg')).headers['cache-control'], 'no-cache')
  })

  it('sends the smallest form that the client accepts', async (t) => {
    const get = await served(t)
    const coding = async (accepted: string) => {
      const response = await get(script, { 'accept-encoding': accepted })
      return [response.headers['content-encoding'], textOf(response)]
    }

    assert.deepEqual(await coding('gzip, deflate, br'), ['br', 'brotli'])
    assert.deepEqual(await coding('br;q=0, gzip;q=0.5'), ['gzip', 'gzip'])
    assert.deepEqual(await coding('zstd'), [undefined, 'start()'])
  })

  it('answers 304 to a client that has it', async (t) => {
    const get = await served(t)
    const { etag = '' } = (await get('/console')).headers

    const again = await get('/console', { 'if-none-match': etag })

    assert.deepEqual([again.status, again.body], [304, null])
  })

  it('runs its own scripts and styles alone, and the styles whose hashes its build lists', async (t) => {
    const get = await served(t)

    const policy = (await get('/console')).headers['content-security-policy'] ?? ''

    assert.match(policy, /^default-src 'none'; script-src 'self'; /)
    assert.match(policy, / style-src 'self' 'sha256-abc\+\/DEF='; /)
    assert.doesNotMatch(policy, /unsafe|\*/)
  })

  it('never shows what is not part of it', async (t) => {
    const get = await served(t)

    for (const target of [
      '/console/csp.json',
      '/console/../package.json',
      '/console/..%2fpackage.json',
    ]) {
      assert.equal(textOf(await get(target)), files['index.html'], target)
    }
  })

  it('says how to build it if it is not built', async (t) => {
    const get = await served(t, {})

    const response = await get('/console/messages')

    assert.equal(response.status, 404)
    assert.match(textOf(response), /npm run build --workspace console/)
  })
})

function isNotFound(error: unknown): boolean {
  return error instanceof Problem && error.problem === 'not-found'
}
