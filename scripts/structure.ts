import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { separate } from './code-lines.ts'
import { projectFiles } from './project-files.ts'
import type { Walk } from './walks.ts'

/** Figures of a tree by name, in the order in which they are printed. */
export type Figures = Readonly<Record<string, string>>

/** Measures the files, folders and exported types of the tree at `root`. */
export function measureFiles(root: string): Figures {
  const sources = projectFiles(root, /^(src|packages\/[^/]+\/src)\/.*\.ts$/)
  const own = sources.filter((file) => file.startsWith('src/'))
  const sorted = own.map((file) => codeLines(root, file)).toSorted((a, b) => a - b)
  const folders = Map.groupBy(own, dirname)
  const [folder = '', files = []] =
    [...folders].toSorted(([, a], [, b]) => b.length - a.length)[0] ?? []
  return {
    'files in src': String(own.length),
    'lines of code in src': String(sum(sorted)),
    'largest folder': `${files.length} (${folder})`,
    'lines per file, median': String(percentile(sorted, 0.5)),
    'lines per file, 90th percentile': String(percentile(sorted, 0.9)),
    'files of at most 20 lines': String(sorted.filter((count) => count <= 20).length),
    'methods of the port Store': String(storeMethods(root)),
    'repeated names of exported types, in src': countRepeated(root, own),
    'repeated names of exported types, with packages': countRepeated(root, sources),
  }
}

/** Measures the walks: files, folders and lines of code that a reader opens. */
export function describeWalks(root: string, walks: readonly Walk[]): Figures {
  return Object.fromEntries(
    walks.map(({ name, files }) => {
      const lines = files.map((file) => codeLines(root, file))
      const folders = new Set(files.map(dirname))
      return [
        `${name}: files / folders / lines`,
        `${files.length} / ${folders.size} / ${sum(lines)}`,
      ]
    }),
  )
}

/** Returns the lines of code of each folder of src with everything below it, the largest first. */
export function linesPerFolder(root: string): readonly (readonly [folder: string, line: string])[] {
  const own = projectFiles(root, /^src\/.*\.ts$/)
  const folders = Map.groupBy(own, (file) => file.split('/').slice(0, 2).join('/'))
  return [...folders]
    .map(([folder, files]) => {
      const counts = files.map((file) => codeLines(root, file))
      return { folder, files: files.length, lines: sum(counts) }
    })
    .toSorted((a, b) => b.lines - a.lines)
    .map(({ folder, files, lines }) => [folder, `${lines} in ${files} files`] as const)
}

/** Returns the names of exported types that several files declare, with those files. */
export function repeatedTypes(
  texts: ReadonlyMap<string, string>,
): readonly (readonly [name: string, files: readonly string[]])[] {
  const declared = [...texts].flatMap(([file, text]) =>
    [...text.matchAll(/^export (?:interface|type|class|enum) (\w+)/gm)].map(
      ([, name = '']) => [name, file] as const,
    ),
  )
  return [...Map.groupBy(declared, ([name]) => name)]
    .map(([name, places]) => [name, places.map(([, file]) => file)] as const)
    .filter(([, files]) => files.length > 1)
}

/** Counts the methods of `Store` and of the interfaces in src/core that it mentions. */
function storeMethods(root: string): number {
  const interfaces = new Map(
    projectFiles(root, /^src\/core\/.*\.ts$/).flatMap((file) =>
      [
        ...readFileSync(join(root, file), 'utf8').matchAll(
          /^export interface (\w+)([^{]*\{[^]*?)^\}/gm,
        ),
      ].map(([, name = '', body = '']) => [name, body] as const),
    ),
  )
  const reached = new Set(['Store'])
  for (const name of reached) {
    for (const [word] of (interfaces.get(name) ?? '').matchAll(/\b[A-Z]\w+/g)) {
      if (interfaces.has(word)) reached.add(word)
    }
  }
  return sum(
    [...reached].map(
      (name) => [...(interfaces.get(name) ?? '').matchAll(/^  \w+\??(?:<.*>)?\(/gm)].length,
    ),
  )
}

function countRepeated(root: string, files: readonly string[]): string {
  const texts = files.map((file) => [file, readFileSync(join(root, file), 'utf8')] as const)
  const repeated = repeatedTypes(new Map(texts))
  return `${repeated.length} (${sum(repeated.map(([, places]) => places.length))} declarations)`
}

function codeLines(root: string, file: string): number {
  return separate(readFileSync(join(root, file), 'utf8')).code.length
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}

function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}
