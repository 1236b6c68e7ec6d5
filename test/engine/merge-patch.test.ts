import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { mergePatch } from '../../src/engine/operations/patch.ts'

/** The table of RFC 7396, appendix A. */
const cases: [target: string, patch: string, result: string][] = [
  ['{"a":"b"}', '{"a":"c"}', '{"a":"c"}'],
  ['{"a":"b"}', '{"b":"c"}', '{"a":"b","b":"c"}'],
  ['{"a":"b"}', '{"a":null}', '{}'],
  ['{"a":"b","b":"c"}', '{"a":null}', '{"b":"c"}'],
  ['{"a":["b"]}', '{"a":"c"}', '{"a":"c"}'],
  ['{"a":"c"}', '{"a":["b"]}', '{"a":["b"]}'],
  ['{"a":{"b":"c"}}', '{"a":{"b":"d","c":null}}', '{"a":{"b":"d"}}'],
  ['{"a":[{"b":"c"}]}', '{"a":[1]}', '{"a":[1]}'],
  ['["a","b"]', '["c","d"]', '["c","d"]'],
  ['{"a":"b"}', '["c"]', '["c"]'],
  ['{"a":"foo"}', 'null', 'null'],
  ['{"a":"foo"}', '"bar"', '"bar"'],
  ['{"e":null}', '{"a":1}', '{"e":null,"a":1}'],
  ['[1,2]', '{"a":"b","c":null}', '{"a":"b"}'],
  ['{}', '{"a":{"bb":{"ccc":null}}}', '{"a":{"bb":{}}}'],
]

describe('a JSON Merge Patch', () => {
  for (const [target, patch, result] of cases) {
    it(`${patch} on ${target} gives ${result}`, () => {
      assert.deepEqual(mergePatch(JSON.parse(target), JSON.parse(patch)), JSON.parse(result))
    })
  }

  it('treats __proto__ as a name like any other', () => {
    const merged = mergePatch({}, JSON.parse('{"__proto__":{"polluted":true}}'))

    assert.equal(Object.hasOwn(Object(merged), '__proto__'), true)
    assert.equal(Object.hasOwn(Object.prototype, 'polluted'), false)
  })
})
