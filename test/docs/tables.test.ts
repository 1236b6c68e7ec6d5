import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { pages } from './support/pages.ts'
import { root } from './support/reader.ts'
import { schemaText } from './support/schema-text.ts'
import { withTables } from './support/tables.ts'

describe('tables that follow from the source', () => {
  for (const page of pages) {
    it(`are up to date in ${page}`, async () => {
      const text = await readFile(join(root, page), 'utf8')

      const written = await withTables(text)

      assert.equal(text, written, 'run: npm run docs:generate')
    })
  }

  it('keep the form of the JSON schema, so that a new row changes no other line', async () => {
    const file = join(root, 'docs/nuncio.config.schema.json')
    const text = await readFile(file, 'utf8')

    const written = await schemaText(JSON.parse(text), file)

    assert.equal(text, written)
  })
})
