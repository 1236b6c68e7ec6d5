import { basename, dirname } from 'node:path'
import { repeatedTypes } from '../../../scripts/structure.ts'
import type { Fault } from './faults.ts'
import { exportsOf, sources, textOf, texts, wordsIn } from './project.ts'
import { renamed, renamedColumns } from './renamed.ts'

/** Checks of the structure that may have known faults, by what they find. */
export const checks: Readonly<Record<string, () => readonly Fault[]>> = {
  'file named for no export': filesNamedForNoExport,
  'file name with an avoided word': filesWithAvoidedWord,
  'exported type with several declarations': repeatedTypeNames,
  'replaced name': replacedNames,
  'replaced column': replacedColumns,
  'folder with too many files': largeFolders,
  'long decision page': longDecisions,
}

/** Words with a plainer term in `docs/glossary.md`. */
const avoidedWords = new Set(
  (
    'place lane turn way standing told kept soon ahead rest reached ground berth sift survey ' +
    'converse dialogue gathered patiently vain overtaken breach demand sealed'
  ).split(' '),
)

/** The names of more files do not fit one view. */
const filesMax = 20

/** Half a page. */
const decisionWordsMax = 250

function filesNamedForNoExport(): readonly Fault[] {
  return sources
    .filter((file) => exportsOf(file).length > 0)
    .filter((file) => {
      const exported = new Set(exportsOf(file).flatMap(stemsOf))
      return !stemsOf(basename(file, '.ts')).some((stem) => exported.has(stem))
    })
    .map((file) => ({
      id: basename(file),
      text: `${file}: name it for one of ${exportsOf(file).join(', ')}`,
    }))
}

function filesWithAvoidedWord(): readonly Fault[] {
  return sources.flatMap((file) =>
    basename(file, '.ts')
      .split('-')
      .map((word) => (avoidedWords.has(word) ? word : word.replace(/s$/, '')))
      .filter((word) => avoidedWords.has(word))
      .map((word) => ({
        id: basename(file),
        text: `${file}: docs/glossary.md has a better word than "${word}"`,
      })),
  )
}

function repeatedTypeNames(): readonly Fault[] {
  return repeatedTypes(new Map(sources.map((file) => [file, textOf(file)]))).map(
    ([name, files]) => ({ id: name, text: `${name} is declared by ${files.join(', ')}` }),
  )
}

function replacedNames(): readonly Fault[] {
  const found = renamed.flatMap(([part, former, today]) =>
    sources
      .filter((file) => file.startsWith(part) && declares(textOf(file), former))
      .map((file) => ({
        id: `${former} in ${basename(file)}`,
        text: `${file}: ${former} is called ${today}`,
      })),
  )
  return unique(found)
}

function replacedColumns(): readonly Fault[] {
  const schema = [...texts.keys()].filter((file) => /^src\/stores\/.*schema\.ts$/.test(file))
  return schema.flatMap((file) =>
    renamedColumns
      .filter(([former]) => new RegExp(`^[^/*]*\\b${former}\\b`, 'm').test(textOf(file)))
      .map(([former, today]) => ({
        id: `${former} in ${basename(file)}`,
        text: `${file}: the column or table ${former} is called ${today}`,
      })),
  )
}

function largeFolders(): readonly Fault[] {
  return [...Map.groupBy(sources, dirname)]
    .filter(([, files]) => files.length > filesMax)
    .map(([folder, files]) => ({
      id: folder,
      text: `${folder} has ${files.length} files: split it by subject`,
    }))
}

function longDecisions(): readonly Fault[] {
  return [...texts.keys()]
    .filter((file) => /^docs\/decisions\/\d{4}-.*\.md$/.test(file))
    .map((file) => ({ file, words: wordsIn(textOf(file).replace(/^# .*\n/, '')) }))
    .filter(({ words }) => words > decisionWordsMax)
    .map(({ file, words }) => ({
      id: basename(file).slice(0, 4),
      text: `${file} has ${words} words: shorten it to ${decisionWordsMax}`,
    }))
}

/** Returns the words of a name in a form in which `replies` equals `reply`. */
function stemsOf(name: string): readonly string[] {
  return name
    .replace(/[A-Z]+/g, (letters) => `-${letters.toLowerCase()}`)
    .split('-')
    .filter((word) => word !== '')
    .map((word) => word.slice(0, 4).replace(/ies$|s$|y$/, ''))
}

/** Returns true if a text declares a name: as a type, a function, a variable or a member. */
function declares(text: string, name: string): boolean {
  return new RegExp(
    `\\b(?:interface|type|class|function\\*?|const|let) ${name}\\b` +
      `|^ +(?:readonly )?${name}\\??(?:: |\\(|<)`,
    'm',
  ).test(text)
}

function unique<T extends { readonly id: string }>(faults: readonly T[]): readonly T[] {
  return faults.filter(({ id }, index) => faults.findIndex((other) => other.id === id) === index)
}
