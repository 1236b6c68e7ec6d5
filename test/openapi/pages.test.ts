import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { problems, type ProblemName } from '../../src/core/problem.ts'
import { markup } from '../../src/openapi/page/markup.ts'
import { pageHeaders } from '../../src/openapi/page/page-headers.ts'
import { problemPage } from '../../src/openapi/problem-page.ts'
import { referencePage } from '../../src/openapi/reference-page.ts'
import { madeDocument } from './documented.ts'

const reference = referencePage(madeDocument())
const names = Object.keys(problems) as ProblemName[]

describe('the pages', () => {
  it('have no script, no handler and nothing to fetch', () => {
    for (const page of [reference, ...names.map(problemPage)]) {
      assert.doesNotMatch(page, /<script|\son\w+=|javascript:|\sstyle=|@import|url\(/i)
      const fetched = [...page.matchAll(/<(?:link|img|iframe|object|source)\b[^>]*>/g)]
      assert.deepEqual(
        fetched.filter(([tag]) => !tag.includes('href="data:')),
        [],
      )
    }
  })

  it('show what an operator wrote as text', () => {
    assert.match(
      reference,
      /Who buys from us\. &lt;script&gt;alert\(&quot;x&quot;\)&lt;\/script&gt;/,
    )
    assert.match(reference, /&amp; more/)
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
      assert.match(reference, new RegExp(`href="/problems/${name}"`))
    }
  })

  it('show requests as lines of curl that a shell takes as they are', () => {
    assert.match(reference, /curl &quot;\$NUNCIO_URL\/v1\/messages&quot; \\\n/)
    assert.match(
      reference,
      /curl -X DELETE &quot;\$NUNCIO_URL\/v1\/messages\/message_[a-z0-9]{26}&quot;/,
    )
  })
})
