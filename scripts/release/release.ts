import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  licenceList,
  withVendored,
  type BillOfMaterials,
  type Origin,
} from './bill-of-materials.ts'
import { changelogSection } from './changelog-section.ts'
import { publishedPackages } from './published-packages.ts'
import { releaseFaults } from './release-faults.ts'
import { versionEdits, type Edit } from './version-edits.ts'

/** Runs a program in a folder and returns its output. Rejects if it fails. */
export type Run = (program: string, args: readonly string[], cwd: string) => Promise<string>

/** What is released, and by which means. */
export interface ReleaseOptions {
  readonly root: string
  readonly version: string
  /** The day of the release, such as `2026-11-23`. */
  readonly date: string
  /** Makes everything, and then removes it and restores the tree. */
  readonly isDryRun: boolean
  readonly run: Run
  /** Returns the OpenAPI document of the built service. */
  readonly readOpenApi: (root: string) => Promise<string>
  readonly print: (line: string) => void
}

/** A release that this tree does not allow, with all reasons. */
export class ReleaseRefused extends Error {}

/**
 * Gives the tree the version and fills `release/VERSION` with what is published. A failure and a dry run
 * leave the tree as it was. Throws `ReleaseRefused` before any change.
 */
export async function release(options: ReleaseOptions): Promise<void> {
  const { root, version, run, isDryRun, print } = options
  const faults = await releaseFaults(root, version, run)
  if (faults.length > 0) throw new ReleaseRefused(faults.join('\n'))
  const changelogFile = join(root, 'CHANGELOG.md')
  const changelog = await readFile(changelogFile, 'utf8')
  const released = changelogSection(changelog, version, options.date)
  if (released === null) {
    throw new ReleaseRefused('CHANGELOG.md has no entry under "## Unreleased". Add one.')
  }
  const tracked = (await run('git', ['ls-files'], root)).split('\n').filter((file) => file !== '')
  const edits: readonly Edit[] = [
    ...(await versionEdits(root, tracked, version)),
    { file: 'CHANGELOG.md', before: changelog, after: released.changelog },
  ]

  const folder = join(root, 'release', version)
  let isKept = false
  try {
    await write(root, edits, 'after')
    await mkdir(folder, { recursive: true })
    await writeFile(join(folder, 'CHANGES.md'), released.section)
    await fill(folder, options)
    print(`${isDryRun ? 'Would write' : 'Wrote'} release/${version}:`)
    for (const name of (await readdir(folder)).sort()) print(`  ${name}`)
    print(`${isDryRun ? 'Would change' : 'Changed'}: ${edits.map(({ file }) => file).join(', ')}`)
    isKept = !isDryRun
  } finally {
    if (!isKept) {
      await write(root, edits, 'before')
      await rm(folder, { recursive: true, force: true })
      // Else `npm start` would run a build of the version that was not released.
      await build(root, run)
    }
  }
  if (isKept) for (const line of nextSteps(version)) print(line)
}

async function write(
  root: string,
  edits: readonly Edit[],
  member: 'before' | 'after',
): Promise<void> {
  for (const edit of edits) await writeFile(join(root, edit.file), edit[member])
}

/** Builds the tree and writes everything that follows from it. */
async function fill(folder: string, { root, run, readOpenApi }: ReleaseOptions): Promise<void> {
  await build(root, run)
  for (const packed of Object.values(publishedPackages)) {
    await run('npm', ['pack', '--silent', '--pack-destination', folder], join(root, packed))
  }
  const openApi: unknown = JSON.parse(await readOpenApi(root))
  await writeFile(join(folder, 'openapi.json'), `${JSON.stringify(openApi, null, 2)}\n`)

  const args = ['--package-lock-only', '--sbom-format', 'cyclonedx', '--omit', 'optional']
  const listed: BillOfMaterials = JSON.parse(await run('npm', ['sbom', ...args], root))
  const bill = withVendored(listed, 'nuncio', await origins(root))
  await writeFile(join(folder, 'sbom.cdx.json'), `${JSON.stringify(bill, null, 2)}\n`)
  await writeFile(join(folder, 'LICENCES.md'), licenceList(bill))
}

async function build(root: string, run: Run): Promise<void> {
  await run('npm', ['run', '--silent', 'build'], root)
}

async function origins(root: string): Promise<readonly Origin[]> {
  const folders = await readdir(join(root, 'vendor'))
  const texts = folders.map((name) => readFile(join(root, 'vendor', name, 'origin.json'), 'utf8'))
  return (await Promise.all(texts)).map((text): Origin => JSON.parse(text))
}

function nextSteps(version: string): readonly string[] {
  const tarballs = Object.keys(publishedPackages).map(
    (name) => `release/${version}/${name.replace('@', '').replace('/', '-')}-${version}.tgz`,
  )
  return [
    'Review the changes, then publish:',
    `  git commit -am "Release ${version}" && git tag v${version}`,
    ...tarballs.map((tarball) => `  npm publish ${tarball}`),
  ]
}
