import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** A tracked file with its present text and the text of the release. */
export interface Edit {
  readonly file: string
  readonly before: string
  readonly after: string
}

/** Returns the edits that give every manifest, the chart and the documents the version of the release. */
export async function versionEdits(
  root: string,
  files: readonly string[],
  version: string,
): Promise<readonly Edit[]> {
  const { version: former }: { version: string } = JSON.parse(
    await readFile(join(root, 'package.json'), 'utf8'),
  )
  const edits = await Promise.all(
    files.flatMap((file) => {
      const pattern = patternFor(file, former.replaceAll('.', '\\.'))
      return pattern === null ? [] : [edit(root, file, pattern, version)]
    }),
  )
  return edits.filter(({ before, after }) => before !== after)
}

async function edit(root: string, file: string, pattern: RegExp, version: string): Promise<Edit> {
  const before = await readFile(join(root, file), 'utf8')
  return { file, before, after: before.replace(pattern, `$<context>${version}`) }
}

/** Returns the pattern of a file's mentions of the version; null if the file keeps what it mentions. */
function patternFor(file: string, former: string): RegExp | null {
  if (/^(CHANGELOG\.md|bench\/|docs\/decisions\/|test\/)/.test(file)) return null
  if (/^((packages\/\w+|console)\/)?package\.json$/.test(file)) {
    return new RegExp(`(?<context>"version": "|"@nuncio/\\w+": ")${former}(?=")`, 'g')
  }
  if (file === 'package-lock.json') return new RegExp(lockEntry + former + '(?=")', 'g')
  if (file.endsWith('/Chart.yaml'))
    return new RegExp(`(?<context>^(?:appV|v)ersion: )${former}$`, 'gm')
  if (file.endsWith('.md'))
    return new RegExp(`(?<context>\\bnuncio[\\w-]*[-/ ])${former}(?![\\w-])`, 'gi')
  return null
}

/** Matches a version in the lock file's entries of the project: its own, and those of dependencies. */
const lockEntry = String.raw`(?<context>"@nuncio/\w+": "|"name": "(?:@nuncio/\w+|nuncio)",\s+"version": ")`
