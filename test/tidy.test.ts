import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { describe, it } from 'node:test'

/** Who may import whom, besides itself. What is not listed is out of reach. */
const reach: Readonly<Record<string, readonly string[]>> = {
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
  'src/cli': ['src/core', 'src/config', '@nuncio/receiver'],
  'src/wiring': [
    'src/core',
    'src/collections',
    'src/engine',
    'src/versions',
    'src/stores',
    'src/encoding',
    'src/carriers',
    'src/gateway',
    'src/delivery',
    'src/nodes',
    'src/openapi',
    'src/http',
    'src/config',
    '@nuncio/receiver',
  ],
  'packages/receiver': [],
  'packages/client': ['src/core', 'src/collections'],
}

/** The neighbours in one folder that must not know each other either. */
const apart = ['src/carriers', 'src/stores']

/** Libraries, and the only folder that may know each. */
const libraries: Readonly<Record<string, readonly string[]>> = {
  undici: ['src/delivery'],
  'ipaddr.js': ['src/delivery', 'src/config'],
  pino: ['src/cli'],
  'node:sqlite': ['src/stores'],
  pg: ['src/stores'],
}

/** A word, the files where it may stand, and what to write elsewhere. */
const reserved: readonly (readonly [word: RegExp, home: RegExp, cure: string])[] = [
  [
    /\bDate\.now\(|\bnew Date\(\)/,
    /^src\/core\/ports\/clock\.ts$|^packages\/receiver\/|^packages\/client\/src\/clock\.ts$/,
    'ask the clock that is passed in',
  ],
  [
    /\bperformance\.now\(/,
    /^src\/core\/ports\/clock\.ts$|^packages\/client\/src\/clock\.ts$/,
    'ask the clock that is passed in',
  ],
  [
    /\bset(Timeout|Interval)\(/,
    /^src\/core\/ports\/clock\.ts$|^packages\/receiver\/|^packages\/client\/src\/clock\.ts$/,
    'use clock.after',
  ],
  [/\bMath\.random\(/, /^src\/core\/ports\/random\.ts$/, 'use the randomness that is passed in'],
  [
    /\brandomBytes\(|\brandomFill/,
    /^src\/core\/ports\/random\.ts$/,
    'use the randomness that is passed in',
  ],
  [/\bprocess\.env\b/, /^src\/config\//, 'use the configuration that is passed in'],
  [/\bprocess\.exit\(/, /^$/, 'set process.exitCode and let the program end'],
  [/\bas any\b|: any\b|<any>/, /^$/, 'use unknown and a check'],
  [/\bconsole\./, /^packages\/receiver\/src\/receiver\.ts$/, 'use the log that is passed in'],
  [/\b(TODO|FIXME|XXX|HACK)\b/, /^$/, 'do it, or open an issue'],
  [
    /@ts-(ignore|expect-error|nocheck)|oxlint-disable|eslint-disable|prettier-ignore/,
    /^$/,
    'mend the cause',
  ],
]

/** Names that say nothing of what is inside. */
const emptyNames =
  /(^|[/-])(utils?|helpers?|common|misc|types|managers?|services?|handlers?)(\.ts$|\/)/

/** Files that something else than an import reaches. */
const entrances = [
  'src/main.ts',
  'src/index.ts',
  'packages/receiver/src/index.ts',
  'packages/client/src/index.ts',
]

const columnsMax = 120

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => file !== '')

const sources = files.filter((file) => /^(src|packages\/[^/]+\/src)\/.*\.ts$/.test(file))
const texts = new Map(files.filter(isText).map((file) => [file, readFileSync(file, 'utf8')]))

function isText(file: string): boolean {
  return /\.(ts|js|json|md|ya?ml|html|css)$/.test(file) && file !== 'package-lock.json'
}

/** The specifiers that a file imports, resolved to paths where they are relative. */
function importsOf(file: string): readonly string[] {
  const text = texts.get(file) ?? ''
  const found = text.matchAll(
    /^\s*(?:import|export)\b[^'"]*?from\s+'([^']+)'|\bimport\('([^']+)'\)/gm,
  )
  return [...found]
    .map(([, fixed, dynamic]) => fixed ?? dynamic ?? '')
    .map((name) => (name.startsWith('.') ? normalize(join(dirname(file), name)) : name))
}

function folderOf(file: string): string {
  return file.split('/').slice(0, 2).join('/')
}

function nothing(faults: readonly string[]): void {
  assert.deepEqual(faults, [], `\n${faults.join('\n')}\n`)
}

describe('the house', () => {
  it('lets a folder import only what its row lists', () => {
    const faults = sources.flatMap((file) => {
      const folder = folderOf(file)
      const allowed = reach[folder]
      if (allowed === undefined)
        return file.split('/').length > 2
          ? [`${file}: give ${folder} a row in the table of this test`]
          : []
      return importsOf(file)
        .filter((name) => /^(src|packages)\//.test(name) || name.startsWith('@nuncio/'))
        .filter((name) => folderOf(name) !== folder && !allowed.includes(folderOf(name)))
        .map((name) => `${file}: ${folder} must not know ${name}; meet in a port of src/core`)
    })
    nothing(faults)
  })

  it('has no circle of imports', () => {
    const seen = new Set<string>()
    const circles: string[] = []
    const follow = (file: string, way: readonly string[]): void => {
      if (way.includes(file)) circles.push([...way.slice(way.indexOf(file)), file].join(' -> '))
      if (seen.has(file)) return
      seen.add(file)
      for (const next of importsOf(file)) if (texts.has(next)) follow(next, [...way, file])
    }
    for (const file of sources) follow(file, [])
    nothing(circles.map((circle) => `${circle}: move what they share to a file of its own`))
  })

  it('keeps stores from stores and carriers from carriers, what they share apart', () => {
    const faults = sources.flatMap((file) => {
      const home = apart.find((folder) => file.startsWith(`${folder}/`))
      const own = file.split('/')[2] ?? ''
      if (home === undefined || own === 'sql') return []
      return importsOf(file)
        .filter((name) => name.startsWith(`${home}/`) && name.split('/').length > 3)
        .filter((name) => ![own, 'sql'].includes(name.split('/')[2] ?? ''))
        .map((name) => `${file}: must not know its neighbour ${name}`)
    })
    nothing(faults)
  })

  it('keeps each library in its folder', () => {
    const faults = sources.flatMap((file) =>
      importsOf(file)
        .filter((name) => name in libraries && !libraries[name]?.includes(folderOf(file)))
        .map((name) => `${file}: ${name} belongs to ${libraries[name]?.join(', ')} alone`),
    )
    nothing(faults)
  })

  it('says reserved words in one place', () => {
    const faults = sources.flatMap((file) =>
      (texts.get(file) ?? '').split('\n').flatMap((line, index) => {
        const code = line.replace(/^\s*(\/\*\*|\*|\/\/).*/, '')
        return reserved
          .filter(
            ([word, home]) =>
              word.test(word.source.includes('TODO') ? line : code) && !home.test(file),
          )
          .map(([, , cure]) => `${file}:${index + 1}: ${cure}`)
      }),
    )
    nothing(faults)
  })

  it('names files for what they hold', () => {
    nothing(
      sources
        .filter((file) => emptyNames.test(file) || !/^[a-z0-9./-]+$/.test(file))
        .map((file) => `${file}: name it in kebab-case for the one thing it exports`),
    )
  })

  it('has no file that nothing imports', () => {
    const imported = new Set(
      [...texts.keys()]
        .filter((file) => file.endsWith('.ts') || file.endsWith('.js'))
        .flatMap(importsOf),
    )
    nothing(
      sources
        .filter((file) => !imported.has(file) && !entrances.includes(file))
        .map((file) => `${file}: nothing imports it; delete it`),
    )
  })

  it('keeps lines short enough to read side by side', () => {
    const faults = [...texts].flatMap(([file, text]) =>
      file.endsWith('.ts')
        ? text
            .split('\n')
            .flatMap((line, index) =>
              [...line].length > columnsMax
                ? [`${file}:${index + 1}: break the line, it has over ${columnsMax} columns`]
                : [],
            )
        : [],
    )
    nothing(faults)
  })

  it('documents every export', () => {
    const faults = sources.flatMap((file) => {
      const lines = (texts.get(file) ?? '').split('\n')
      return lines.flatMap((line, index) => {
        const exported = /^export (?:async )?(?:function\*?|const|class|interface|type) (\w+)/.exec(
          line,
        )
        if (exported === null) return []
        const before = lines[index - 1] ?? ''
        return /\*\/\s*$/.test(before)
          ? []
          : [`${file}:${index + 1}: say above it what ${exported[1]} promises`]
      })
    })
    nothing(faults)
  })

  it('names no path of a particular machine', () => {
    const faults = [...texts].flatMap(([file, text]) =>
      file !== 'test/tidy.test.ts' && /\/(home|Users|root)\/[a-z]+|\/work\//.test(text)
        ? [`${file}: name no path of a particular machine`]
        : [],
    )
    nothing(faults)
  })
})
