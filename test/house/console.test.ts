import { dirname } from 'node:path'
import { describe, it } from 'node:test'
import { assertNone } from './support/faults.ts'
import { importsOf, textOf, texts } from './support/project.ts'

/** The layers of the console, and the layers that each may import besides itself. */
const reach: Readonly<Record<string, readonly string[]>> = {
  ui: [],
  api: ['@nuncio/client'],
  live: ['api', '@nuncio/client'],
  collections: ['api', 'live', 'ui', '@nuncio/client'],
  screens: ['collections', 'api', 'live', 'ui', '@nuncio/client', 'src/encoding'],
  shell: ['collections', 'api', 'ui'],
}

/** A file of this length is read at a glance. */
const medianLinesMax = 80
/** The names of more files do not fit one view. */
const filesMax = 30

const files = [...texts.keys()].filter((file) => /^console\/src\/.*\.tsx?$/.test(file))

describe('the console', () => {
  it('imports from layers below only', () => {
    const faults = files.flatMap((file) => {
      const layer = file.split('/')[2] ?? ''
      const allowed = reach[layer]
      if (allowed === undefined) return []
      return importsOf(file)
        .map(layerOf)
        .filter((name) => name !== null && name !== layer && !allowed.includes(name))
        .map((name) => `${file}: ${layer} must not import ${name}`)
    })
    assertNone(faults)
  })

  it('has short files in small folders', () => {
    const lines = files
      .map((file) => textOf(file).split('\n').length)
      .sort((one, other) => one - other)
    const median = lines[Math.floor(lines.length / 2)] ?? 0
    const folders = [...Map.groupBy(files, dirname)].filter(
      ([, inside]) => inside.length > filesMax,
    )
    assertNone([
      ...(median > medianLinesMax ? [`the median file has ${median} lines`] : []),
      ...folders.map(([folder, inside]) => `${folder} has ${inside.length} files: split it`),
    ])
  })

  it('documents every export', () => {
    const faults = files.flatMap((file) => {
      const lines = textOf(file).split('\n')
      return lines.flatMap((line, index) =>
        /^export (async )?(function|const|class|interface|type) /.test(line) &&
        !/\*\/\s*$/.test(lines[index - 1] ?? '')
          ? [`${file}:${index + 1}: document the export above it`]
          : [],
      )
    })
    assertNone(faults)
  })
})

/** Returns the layer of an import; null for libraries and for styles. */
function layerOf(name: string): string | null {
  if (name.startsWith('console/src/')) {
    const part = name.split('/')[2] ?? ''
    return part in reach ? part : null
  }
  if (name.startsWith('src/')) return name.split('/').slice(0, 2).join('/')
  return name.startsWith('@nuncio/') ? name : null
}
