import { readFile } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Run } from './release.ts'

/** Returns every reason why a version cannot be released from this tree. */
export async function releaseFaults(
  root: string,
  version: string,
  run: Run,
): Promise<readonly string[]> {
  const faults: string[] = []
  if (!/^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/.test(version)) {
    return [`The version must be like 1.2.3 or 1.2.3-beta.1, not "${version}".`]
  }
  const changed = await run('git', ['status', '--porcelain'], root)
  if (changed.trim() !== '') {
    faults.push(`The tree has changes. Commit or stash them:\n${changed.trimEnd()}`)
  }
  if ((await run('git', ['tag', '--list', `v${version}`], root)).trim() !== '') {
    faults.push(`The tag v${version} exists. Choose another version.`)
  }
  if (existsSync(join(root, 'release', version))) {
    faults.push(`The folder release/${version} exists. Remove it to make it again.`)
  }
  const changelog = await readFile(join(root, 'CHANGELOG.md'), 'utf8')
  if (changelog.includes(`\n## ${version} `)) {
    faults.push(`CHANGELOG.md has a section ${version}. Choose another version.`)
  }
  const unvouched = withoutIntegrity(await readFile(join(root, 'package-lock.json'), 'utf8'))
  if (unvouched.length > 0) {
    faults.push(
      'These entries of package-lock.json have no integrity value. Pin versions that the registry has: ' +
        unvouched.join(', '),
    )
  }
  return faults
}

/** Returns the packages in a lock file whose contents nothing verifies. The project's own need none. */
export function withoutIntegrity(lock: string): readonly string[] {
  const { packages }: { packages: Readonly<Record<string, Locked>> } = JSON.parse(lock)
  return Object.entries(packages)
    .filter(([path, { link, integrity }]) => {
      return path.includes('node_modules/') && link !== true && integrity === undefined
    })
    .map(([path, { version }]) => `${path.replace(/^.*node_modules\//, '')}@${version}`)
}

interface Locked {
  readonly version?: string
  readonly link?: boolean
  readonly integrity?: string
}
