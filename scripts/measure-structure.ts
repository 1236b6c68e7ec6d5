import { readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { describeWalks, linesPerFolder, measureFiles } from './structure.ts'
import { measureWalks } from './walks.ts'

// Prints the figures of the structure next to those of commit 83350e6, where the renewal of the structure
// began. `--root` measures another tree with these scripts; `--files` lists the files of each walk;
// `--record` keeps the figures as those of the earlier commit.

const { values } = parseArgs({
  options: {
    root: { type: 'string', default: new URL('..', import.meta.url).pathname },
    files: { type: 'boolean', default: false },
    record: { type: 'boolean', default: false },
  },
})
const root = resolve(values.root)
const recordFile = new URL('structure-83350e6.json', import.meta.url)

const walks = await measureWalks(root)
const figures = { ...measureFiles(root), ...describeWalks(root, walks) }
const perFolder = Object.fromEntries(linesPerFolder(root))
if (values.record) {
  writeFileSync(recordFile, `${JSON.stringify({ figures, perFolder }, null, 2)}\n`)
}
const before = JSON.parse(readFileSync(recordFile, 'utf8'))
print(before.figures, figures)
print(before.perFolder, perFolder)
if (values.files) {
  for (const { name, files } of walks) console.log(`${name}\n${files.join('\n')}\n`)
}

function print(
  earlier: Readonly<Record<string, string>>,
  today: Readonly<Record<string, string>>,
): void {
  const names = [...new Set([...Object.keys(today), ...Object.keys(earlier)])]
  const width = Math.max(...names.map((name) => name.length))
  console.log(`${''.padEnd(width)}  ${'83350e6'.padEnd(24)}now`)
  for (const name of names) {
    console.log(`${name.padEnd(width)}  ${(earlier[name] ?? '–').padEnd(24)}${today[name] ?? '–'}`)
  }
  console.log()
}
