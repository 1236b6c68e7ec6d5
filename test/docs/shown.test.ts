import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { blocksOf, commandsOf } from './support/blocks.ts'
import { isAsShown, isJsonAsShown } from './support/shown.ts'

const id = 'message_01m7yrwh8eecza7gsf39kj32na'
const other = 'message_01m7yrwk12ej1a2hjt15nr9yqy'

describe('What a page shows', () => {
  it('may differ from what is printed in identifiers and times, and in nothing else', () => {
    const shown = `${id}  SENT  2026-11-21T10:02:01.872Z`

    assert.ok(isAsShown(shown, `${other}  SENT  2027-01-01T00:00:00.000Z\n`))
    assert.ok(!isAsShown(shown, `${other}  FAILED  2027-01-01T00:00:00.000Z\n`))
    assert.ok(
      !isAsShown(shown, `contact_01m7yrwk12ej1a2hjt15nr9yqy  SENT  2027-01-01T00:00:00.000Z\n`),
    )
    assert.ok(!isAsShown(shown, `order-17  SENT  2027-01-01T00:00:00.000Z\n`))
    assert.ok(!isAsShown(shown, `${other}  SENT  yesterday\n`))
  })

  it('is all that is printed, unless a line of dots leaves something out', () => {
    assert.ok(!isAsShown('one', 'one\ntwo\n'))
    assert.ok(!isAsShown('one\ntwo', 'one\n'))
    assert.ok(isAsShown('one\n…\nfour', 'one\ntwo\nthree\nfour\n'))
    assert.ok(isAsShown('one\n…', 'one\ntwo\n'))
    assert.ok(!isAsShown('…\ntwo', 'one\n'))
    assert.ok(isAsShown('a … d', 'a b c d\n'))
    assert.ok(!isAsShown('a … d', 'a b c\n'))
  })

  it('in JSON has the same members in the same order', () => {
    const shown = `{ "id": "${id}", "count": 1 }`

    assert.ok(isJsonAsShown(shown, `{"id":"${other}","count":1}`))
    assert.ok(!isJsonAsShown(shown, `{"id":"${other}","count":2}`))
    assert.ok(!isJsonAsShown(shown, `{"id":"${other}","count":1,"more":true}`))
    assert.ok(!isJsonAsShown(shown, `{"count":1,"id":"${other}"}`))
    assert.ok(!isJsonAsShown(shown, `{"id":null,"count":1}`))
  })

  it('in JSON may leave out members and items where it has a line of dots', () => {
    const object = '{\n  "a": 1,\n  …\n  "d": 4\n}'
    const list = '[\n  1,\n  …\n]'

    assert.ok(isJsonAsShown(object, '{"a":1,"b":2,"c":3,"d":4}'))
    assert.ok(!isJsonAsShown(object, '{"a":1,"b":2,"c":3,"d":5}'))
    assert.ok(!isJsonAsShown(object, '{"a":1,"b":2}'))
    assert.ok(isJsonAsShown(list, '[1,2,3]'))
    assert.ok(!isJsonAsShown(list, '[2,3]'))
    assert.ok(!isJsonAsShown('[1]', '[1,2]'))
  })
})

describe('The blocks of a page', () => {
  it('are found with their lines, languages and the comments above them', () => {
    const page = 'Text\n\n<!-- file: a.js -->\n```js\na()\n```\n\n```sh\nls\n```\n'

    const blocks = blocksOf(page)

    assert.deepEqual(blocks, [
      { line: 4, language: 'js', text: 'a()', instruction: { kind: 'FILE', name: 'a.js' } },
      { line: 8, language: 'sh', text: 'ls', instruction: null },
    ])
    assert.throws(() => blocksOf('```sh\nls\n'), /line 1 has no end/)
  })

  it('have commands with what they print', () => {
    const transcript = '$ echo one\none\n$ echo \\\n> two\ntwo\n> not a command'

    const commands = commandsOf(transcript)

    assert.deepEqual(commands, [
      { script: 'echo one', shown: 'one' },
      { script: 'echo \\\ntwo', shown: 'two\n> not a command' },
    ])
    assert.throws(() => commandsOf('one\n$ echo one'), /begins with "\$ "/)
  })
})
