import { readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { projectFiles } from '../../../scripts/project-files.ts'

const root = new URL('../../../', import.meta.url).pathname

/** The files of the project that hold text, with their texts. */
export const texts: ReadonlyMap<string, string> = new Map(
  projectFiles(root, /\.(tsx?|js|json|md|ya?ml|html|css)$/)
    .filter((file) => file !== 'package-lock.json')
    .map((file) => [file, readFileSync(join(root, file), 'utf8')]),
)

/** The files of the product. */
export const sources: readonly string[] = [...texts.keys()].filter((file) =>
  /^(src|packages\/[^/]+\/src)\/.*\.ts$/.test(file),
)

/** Returns the text of a file; an empty one if there is no such file. */
export function textOf(file: string): string {
  return texts.get(file) ?? ''
}

/** Returns the specifiers that a file imports; relative ones as paths from the root. */
export function importsOf(file: string): readonly string[] {
  const found = textOf(file).matchAll(
    /^\s*(?:import|export)\b[^'"]*?from\s+'([^']+)'|\bimport\('([^']+)'\)/gm,
  )
  return [...found]
    .map(([, fixed, dynamic]) => fixed ?? dynamic ?? '')
    .map((name) => (name.startsWith('.') ? normalize(join(dirname(file), name)) : name))
}

/** Returns the names that a file exports by a declaration. */
export function exportsOf(file: string): readonly string[] {
  return [
    ...textOf(file).matchAll(
      /^export (?:async )?(?:function\*?|const|class|interface|type|enum) (\w+)/gm,
    ),
  ].map(([, name = '']) => name)
}

/** Returns the part of the project that a file belongs to, such as `src/core`. */
export function partOf(file: string): string {
  return file.split('/').slice(0, 2).join('/')
}

/** Returns the number of words of a text. */
export function wordsIn(text: string): number {
  return text.split(/\s+/).filter((word) => word !== '').length
}
