import assert from 'node:assert/strict'

/** An answer, whoever gave it. */
export interface Seen {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

/** What never stands in an answer: names from inside, traces, statements. */
const inside = new RegExp(
  [
    /\bat [\w.<>]+ \(|node:internal|node_modules|\.(?:ts|js):\d+/,
    /SQLITE|sqlite_|no such column|syntax error/,
    /FST_ERR|\bERR_[A-Z]|(?:Type|Range|Syntax|Reference|Assertion)Error/,
    /\[object Object\]|\bundefined\b/,
  ]
    .map(({ source }) => source)
    .join('|'),
)

/** Checks what is true of every answer to whatever request; throws an assertion error. */
export function checkAnswer(method: string, { status, headers, text }: Seen): void {
  assert.ok(status >= 200 && (status < 500 || status === 501), `answered ${status} ${text}`)
  for (const [name, value] of Object.entries(headers)) {
    assert.match(value, /^[\t\x20-\x7e\x80-\xff]*$/, `the field ${name}`)
  }
  const requestId = headers['x-request-id'] ?? ''
  assert.match(requestId, /^request_[0-9a-f]{17}$/)
  assert.doesNotMatch(JSON.stringify(headers), inside)
  if (status < 400) return checkSuccess(headers, text)

  assert.equal(headers['content-type'], 'application/problem+json')
  if (method === 'HEAD') return
  assert.doesNotMatch(text, inside)
  const problem = JSON.parse(text)
  assert.equal(problem.status, status)
  assert.match(problem.title, /^[A-Z]/)
  assert.match(problem.type, /^\/problems\/[a-z-]+$/)
  assert.match(problem.detail, /\S/)
  assert.equal(problem.requestId, requestId)
  for (const error of problem.errors ?? []) {
    assert.equal(typeof (error.pointer ?? error.parameter), 'string')
    assert.match(error.detail, /\S/)
  }
}

function checkSuccess(headers: Readonly<Record<string, string>>, text: string): void {
  if (text !== '' && headers['content-type'] === 'application/json') JSON.parse(text)
}
