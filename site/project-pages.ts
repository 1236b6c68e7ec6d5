import { execFileSync } from 'node:child_process'

/** Returns the paths of the project's pages, those not yet committed included. */
export function projectPages(root: string): readonly string[] {
  const args = ['ls-files', '--cached', '--others', '--exclude-standard', '*.md']
  return execFileSync('git', args, { cwd: root, encoding: 'utf8' })
    .split('\n')
    .filter((file) => file !== '')
}
