import assert from 'node:assert/strict'
import { readFile, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { before, it } from 'node:test'
import { buildConsole } from './support/open-console.ts'

const output = new URL('../dist/', import.meta.url)

/** What a first visit may load, compressed by brotli. */
const firstLoadBytesMax = 200 * 1024
/** What a screen may load in addition. */
const screenBytesMax = 60 * 1024

let first: readonly string[] = []

before(async () => {
  await buildConsole()
  const page = await readFile(new URL('index.html', output), 'utf8')
  first = [...page.matchAll(/(?:src|href)="\/console\/(assets\/[^"]+)"/g)].map(
    ([, name = '']) => name,
  )
})

it('the first load is small', async () => {
  const total = await bytesOf(first)

  assert.ok(total > 0 && total <= firstLoadBytesMax, `${total} bytes`)
})

it('each screen adds little to the first load', async () => {
  const entry = first.find((name) => /\/index-[^/]+\.js$/.test(name)) ?? ''
  const screens = await lazyParts(entry)

  const sizes = await Promise.all(
    [...screens].map(async ([name, files]) => {
      const inside = await lazyParts(name)
      const all = new Set([name, ...files, ...[...inside].flat(2)])
      return [
        basename(name),
        await bytesOf([...all].filter((one) => !first.includes(one))),
      ] as const
    }),
  )

  assert.ok(sizes.length >= 10, `${sizes.length} screens`)
  assert.deepEqual(
    sizes.filter(([, size]) => size > screenBytesMax),
    [],
  )
})

/** Returns what a script loads later: each script with the files that Vite loads beside it. */
async function lazyParts(name: string): Promise<ReadonlyMap<string, readonly string[]>> {
  const script = await readFile(new URL(name, output), 'utf8')
  const list = /m\.f=(\[[^\]]*\])/.exec(script)?.[1] ?? '[]'
  const files: readonly string[] = JSON.parse(list)
  const parts = script.matchAll(/import\(`\.\/([^`]+)`\)[^_]{0,80}__vite__mapDeps\(\[([\d,]*)\]\)/g)
  return new Map(
    [...parts].map(([, part = '', places = '']) => [
      `assets/${part}`,
      places.split(',').flatMap((place) => files[Number(place)] ?? []),
    ]),
  )
}

/** Returns the octets that a browser loads for files. Small ones are not compressed. */
async function bytesOf(names: readonly string[]): Promise<number> {
  const sizes = await Promise.all(
    names.map(async (name) => {
      const compressed = await stat(new URL(`${name}.br`, output)).catch(() => null)
      return (compressed ?? (await stat(new URL(name, output)))).size
    }),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}
