import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { withSettings } from './support/config-schema.ts'
import { pages } from './support/pages.ts'
import { root } from './support/reader.ts'
import { schemaText } from './support/schema-text.ts'
import { withTables } from './support/tables.ts'

// Writes the parts of pages that follow from the source. A test fails if one is stale.
for (const page of pages) {
  const file = join(root, page)
  const text = await readFile(file, 'utf8')
  const written = await withTables(text)
  if (written !== text) await writeFile(file, written)
}

const schemaFile = join(root, 'docs/nuncio.config.schema.json')
const schema = JSON.parse(await readFile(schemaFile, 'utf8'))
const withToday = withSettings(schema)
if (!isDeepStrictEqual(withToday, schema)) {
  await writeFile(schemaFile, await schemaText(withToday, schemaFile))
}
