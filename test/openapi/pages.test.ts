import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { problems, type ProblemName } from '../../src/core/problem.ts'
import { markup, pageHeaders } from '../../src/openapi/html-page.ts'
import { problemPage } from '../../src/openapi/problem-page.ts'
import { startApi } from '../support/api.ts'

const names = Object.keys(problems) as ProblemName[]

describe('the pages of problems', () => {
  it('have no script, no handler and nothing to fetch', () => {
    for (const page of names.map(problemPage)) {
      assert.doesNotMatch(page, /<script|\son\w+=|javascript:|\sstyle=|@import|url\(/i)
      const fetched = [...page.matchAll(/<(?:link|img|iframe|object|source)\b[^>]*>/g)]
      assert.deepEqual(
        fetched.filter(([tag]) => !tag.includes('href="data:')),
        [],
      )
    }
  })

  it('escape whatever is put into a template, but for what is markup already', () => {
    const { markup: made } = markup`<p title="${`"'<&>`}">${['<b>', markup`<i>${1}</i>`, null]}</p>`

    assert.equal(made, '<p title="&quot;&#39;&lt;&amp;&gt;">&lt;b&gt;<i>1</i></p>')
  })

  it('allow nothing that they do not need', () => {
    const policy = pageHeaders['content-security-policy'] ?? ''

    assert.match(policy, /^default-src 'none'; style-src 'sha256-[A-Za-z0-9+/]{43}='/)
    assert.doesNotMatch(policy, /unsafe|\*|https?:/)
  })

  it('show for every problem its status, its title and what to do', () => {
    for (const name of names) {
      const [status, title] = problems[name]
      const page = problemPage(name)

      assert.match(page, new RegExp(`<h1><span class="status">${status}</span> ${title}</h1>`))
    }
  })
})

describe('the reference', () => {
  it('runs scripts of this service alone, and names every version', async (t) => {
    const api = await startApi(t)

    const { status, headers, text } = await api.get('/docs', { key: null })
    const scripts = [...text.matchAll(/<script src="([^"]*)"><\/script>/g)].map(
      ([, path = '']) => path,
    )

    assert.equal(status, 200)
    assert.match(text, /data-version="v1" data-versions="v1"/)
    assert.equal(text.match(/<script/g)?.length, scripts.length)
    assert.deepEqual(scripts, ['/docs/before.js', '/docs/reference.js', '/docs/start.js'])
    const policy = headers['content-security-policy'] ?? ''
    assert.match(policy, /script-src 'self'; style-src 'self' 'unsafe-inline';/)
    assert.doesNotMatch(policy, /eval|\*|https?:/)
    for (const path of scripts) {
      const script = await api.get(path, { key: null })
      assert.match(script.headers['content-type'] ?? '', /^text\/javascript/)
      assert.ok(script.text.length > 10)
    }
  })

  it('sends the large script as it is stored, if the client takes it', async (t) => {
    const api = await startApi(t)
    const asked = (headers: Readonly<Record<string, string>>) =>
      api.get('/docs/reference.js', { key: null, headers })

    const small = await asked({ 'accept-encoding': 'gzip, br' })
    const again = await asked({
      'accept-encoding': 'br',
      'if-none-match': small.headers['etag'] ?? '',
    })

    assert.equal(small.headers['content-encoding'], 'br')
    assert.equal((await asked({})).headers['content-encoding'], undefined)
    assert.equal(again.status, 304)
  })
})

describe('the OpenAPI document', () => {
  it('is compressed for clients that take it, and not sent again to those that have it', async (t) => {
    const api = await startApi(t)
    const asked = (headers: Readonly<Record<string, string>>) =>
      api.get('/v1/openapi.json', { key: null, headers })

    const plain = await asked({})
    const small = await asked({ 'accept-encoding': 'gzip, deflate' })
    const { etag = '' } = small.headers
    const again = await asked({ 'accept-encoding': 'gzip', 'if-none-match': etag })

    assert.equal(plain.headers['content-encoding'], undefined)
    assert.match(plain.json.openapi, /^3\.1/)
    assert.equal(small.headers['content-encoding'], 'gzip')
    assert.equal(small.headers['content-type'], plain.headers['content-type'])
    assert.notEqual(etag, plain.headers['etag'])
    assert.deepEqual([again.status, again.text], [304, ''])
  })
})
