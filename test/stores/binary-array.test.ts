import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Client } from 'pg'
import { binaryArray } from '../../src/stores/postgres/connection/binary-array.ts'
import { noPostgres, testDatabase } from '../support/postgres/database.ts'

const skip = await noPostgres()

const texts = ['', 'a "quoted" \\ text', 'NULL', '{}', 'ünï ✓ 💬', null]
const arrays = [
  ['text', texts],
  ['smallint', [0, 255, -1, 32_767, null]],
  ['integer', [0, -1, 2_147_483_647, -2_147_483_648]],
  ['bigint', [0, -1, 1, 2 ** 32, -(2 ** 32) - 5, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER]],
  ['double precision', [0, -1.5, 1e300, 0.1]],
  ['text', []],
] as const

describe('an array in its binary form', { skip }, () => {
  for (const [type, values] of arrays) {
    it(`of ${type} is what PostgreSQL reads: ${JSON.stringify(values)}`, async () => {
      await using database = await testDatabase()
      const client = new Client({ connectionString: database.url })
      await client.connect()
      const { rows } = await client.query({
        text: `select to_json($1::${type}[])::text`,
        values: [binaryArray(type, values)],
        rowMode: 'array',
      })
      await client.end()

      assert.deepEqual(JSON.parse(String(rows[0]?.[0])), values)
    })
  }

  it('is refused for a type whose form is not known', () => {
    assert.throws(() => binaryArray('inet', ['127.0.0.1']), /no binary form of inet/)
  })
})
