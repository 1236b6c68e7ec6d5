import assert from 'node:assert/strict'
import { readFile, stat } from 'node:fs/promises'
import { it } from 'node:test'
import { buildConsole } from './support/open-console.ts'

const output = new URL('../dist/', import.meta.url)

/** What a first visit may load, compressed by brotli. */
const firstLoadBytesMax = 200 * 1024

it('the first load is small', async () => {
  await buildConsole()
  const page = await readFile(new URL('index.html', output), 'utf8')
  const names = [...page.matchAll(/(?:src|href)="\/console\/(assets\/[^"]+)"/g)].map(
    ([, name = '']) => name,
  )

  const sizes = await Promise.all(names.map(bytesOf))

  const total = sizes.reduce((sum, size) => sum + size, 0)
  assert.ok(total > 0 && total <= firstLoadBytesMax, `${total} bytes`)
})

/** Returns the octets that a browser loads for a file. Small files are not compressed. */
async function bytesOf(name: string): Promise<number> {
  const compressed = await stat(new URL(`${name}.br`, output)).catch(() => null)
  return (compressed ?? (await stat(new URL(name, output)))).size
}
