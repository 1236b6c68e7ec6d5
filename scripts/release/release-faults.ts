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
  faults.push(...(await orderFaults(root, version, changelog)))
  const unvouched = withoutIntegrity(await readFile(join(root, 'package-lock.json'), 'utf8'))
  if (unvouched.length > 0) {
    faults.push(
      'These entries of package-lock.json have no integrity value. Pin versions that the registry has: ' +
        unvouched.join(', '),
    )
  }
  return faults
}

/** A version below an earlier one would never be installed by a range. */
async function orderFaults(
  root: string,
  version: string,
  changelog: string,
): Promise<readonly string[]> {
  const released = Array.from(
    changelog.matchAll(/^## (\d+\.\d+\.\d+\S*)/gm),
    ([, found = '']) => found,
  )
  const last = released.toSorted(compareVersions).at(-1)
  const manifest: { readonly version: string } = JSON.parse(
    await readFile(join(root, 'package.json'), 'utf8'),
  )
  const isAfterLast = last === undefined || compareVersions(version, last) > 0
  // The packages have the version of the first release before it is made.
  if (isAfterLast && compareVersions(version, manifest.version) >= 0) return []
  const inChangelog = `${last ?? 'nothing'} in CHANGELOG.md`
  return [
    `The version ${version} must be greater than the last one: ${inChangelog}, ${manifest.version} in package.json.`,
  ]
}

/** Compares two versions as Semantic Versioning orders them (section 11). */
export function compareVersions(one: string, other: string): number {
  const [[numbers, label], [otherNumbers, otherLabel]] = [split(one), split(other)]
  const byNumbers = compareParts(numbers, otherNumbers)
  if (byNumbers !== 0 || label === otherLabel) return byNumbers
  // A version without a label is the release that those with one lead to.
  if (label === '' || otherLabel === '') return label === '' ? 1 : -1
  return compareParts(label, otherLabel)
}

function split(version: string): readonly [numbers: string, label: string] {
  const dash = version.indexOf('-')
  return dash === -1 ? [version, ''] : [version.slice(0, dash), version.slice(dash + 1)]
}

function compareParts(one: string, other: string): number {
  const [parts, others] = [one.split('.'), other.split('.')]
  for (const [index, part] of parts.entries()) {
    const against = others[index]
    if (against === undefined) return 1
    if (part === against) continue
    const [isNumber, isOtherNumber] = [/^\d+$/.test(part), /^\d+$/.test(against)]
    if (isNumber && isOtherNumber) return Number(part) - Number(against)
    if (isNumber !== isOtherNumber) return isNumber ? -1 : 1
    return part < against ? -1 : 1
  }
  return parts.length - others.length
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
