import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** Returns the paths of the project's files, as Git lists them, that exist and match. */
export function projectFiles(root: string, pattern: RegExp): readonly string[] {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
  return listed.split('\n').filter((file) => pattern.test(file) && existsSync(join(root, file)))
}
