import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { assertNone } from './support/faults.ts'
import { importsOf, partOf, sources, textOf, texts } from './support/project.ts'

/** The reach of what joins the other parts. Only `src/app.ts` and `src/main.ts` may import it. */
const everything = 'everything'

/** The parts that each part may import, besides itself. */
const reach: Readonly<Record<string, readonly string[] | typeof everything>> = {
  'src/main.ts': ['src/app.ts', 'src/wiring', 'src/cli', 'src/config'],
  'src/app.ts': everything,
  'src/index.ts': ['src/core', 'src/config'],
  'src/core': [],
  'src/collections': ['src/core'],
  'src/engine': ['src/core'],
  'src/versions': ['src/core'],
  'src/stores': ['src/core'],
  'src/encoding': ['src/core'],
  'src/carriers': ['src/core', 'src/encoding'],
  'src/gateway': ['src/core', 'src/collections', 'src/encoding'],
  'src/delivery': ['src/core', 'src/collections', '@nuncio/receiver'],
  'src/nodes': ['src/core'],
  'src/openapi': ['src/core', 'src/engine'],
  'src/http': ['src/core', 'src/engine', 'src/versions'],
  'src/config': ['src/core'],
  'src/cli': ['src/core', 'src/config', '@nuncio/client', '@nuncio/receiver'],
  'src/wiring': everything,
  'packages/receiver': ['src/core', 'src/collections'],
  'packages/client': ['src/core', 'src/collections'],
}

/** Parts whose folders must not import each other; all may import `sql`. */
const apart = ['src/carriers', 'src/stores']

/** The only parts that may import each library. */
const libraries: Readonly<Record<string, readonly string[]>> = {
  undici: ['src/delivery'],
  'node:sqlite': ['src/stores'],
  pg: ['src/stores'],
  re2js: ['src/core', 'src/carriers'],
  jose: ['src/carriers'],
  aws4: ['src/carriers'],
  oauth4webapi: ['src/http'],
}

/** Files that are reached by something else than an import. */
const entrances = [
  'src/stores/sqlite/read-thread.ts',
  'src/main.ts',
  'src/index.ts',
  'packages/receiver/src/index.ts',
  'packages/client/src/index.ts',
]

/** The rows of the table in ARCHITECTURE.md: a part of `src` and what it may import. */
const documented: readonly (readonly [part: string, allowed: string])[] = textOf('ARCHITECTURE.md')
  .split('\n')
  .map((line) => /^\| (\w+) \| .* \| ([^|]+) \|$/.exec(line))
  .flatMap((row) =>
    row === null || row[1] === 'part' ? [] : [[row[1] ?? '', row[2] ?? ''] as const],
  )

const wayOut = 'take it as a parameter from src/wiring, or move what neighbours share to'

describe('imports', () => {
  it('stay within the parts that the table allows', () => {
    const faults = sources.flatMap((file) => {
      const part = partOf(file)
      const allowed = reach[part]
      if (allowed === undefined) return [`${file}: give ${part} a row in the table of this test`]
      if (allowed === everything) return []
      return importsOf(file)
        .filter((name) => /^(src|packages)\//.test(name) || name.startsWith('@nuncio/'))
        .filter((name) => partOf(name) !== part && !allowed.includes(partOf(name)))
        .map((name) => `${file}: ${part} must not import ${name}; use a port of src/core`)
    })
    assertNone(faults)
  })

  it('are allowed as ARCHITECTURE.md says', () => {
    const parts = Object.entries(reach)
      .filter(([part]) => /^src\/\w+$/.test(part))
      .map(([part, allowed]) => [part.slice('src/'.length), allowedText(allowed)])
    assert.deepEqual(Object.fromEntries(documented), Object.fromEntries(parts))
  })

  it('form no cycle', () => {
    const seen = new Set<string>()
    const cycles: string[] = []
    const follow = (file: string, path: readonly string[]): void => {
      if (path.includes(file)) cycles.push([...path.slice(path.indexOf(file)), file].join(' -> '))
      if (seen.has(file)) return
      seen.add(file)
      for (const next of importsOf(file)) if (texts.has(next)) follow(next, [...path, file])
    }
    for (const file of sources) follow(file, [])
    assertNone(cycles.map((cycle) => `${cycle}: move the shared declarations to a new file`))
  })

  it('do not connect one store with another, or one carrier with another', () => {
    const faults = sources.flatMap((file) => {
      const home = apart.find((part) => file.startsWith(`${part}/`))
      const own = file.split('/')[2] ?? ''
      if (home === undefined || own === 'sql') return []
      return importsOf(file)
        .filter((name) => name.startsWith(`${home}/`) && name.split('/').length > 3)
        .filter((name) => ![own, 'sql'].includes(name.split('/')[2] ?? ''))
        .map((name) => `${file}: must not import ${name}: ${wayOut} ${home}/`)
    })
    assertNone(faults)
  })

  it('name each library in its part alone', () => {
    const faults = sources.flatMap((file) =>
      importsOf(file)
        .filter((name) => name in libraries && !libraries[name]?.includes(partOf(file)))
        .map((name) => `${file}: only ${libraries[name]?.join(', ')} may import ${name}`),
    )
    const unused = Object.keys(libraries).filter(
      (name) => !sources.some((file) => importsOf(file).includes(name)),
    )
    assertNone([...faults, ...unused.map((name) => `${name} is not imported: remove its row`)])
  })

  it('reach every file', () => {
    const imported = new Set(
      [...texts.keys()]
        .filter((file) => file.endsWith('.ts') || file.endsWith('.js'))
        .flatMap(importsOf),
    )
    assertNone(
      sources
        // The compiler reads declarations of packages, and nothing imports them.
        .filter((file) => !file.endsWith('.d.ts'))
        .filter((file) => !imported.has(file) && !entrances.includes(file))
        .map((file) => `${file}: nothing imports it; delete it`),
    )
  })
})

function allowedText(allowed: readonly string[] | typeof everything): string {
  if (allowed === everything) return everything
  return allowed.map((part) => part.replace(/^src\/|^@nuncio\//, '')).join(', ') || '–'
}
