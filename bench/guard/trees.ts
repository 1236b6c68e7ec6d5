import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..', '..')

/** The work tree of an earlier commit, with what it depends on. */
export interface EarlierTree extends Disposable {
  readonly folder: string
  readonly commit: string
}

/**
 * The commit to compare with, unless one is named: the newest on the way here that is older by the
 * hours given. Null where the history does not reach back so far.
 */
export function earlierCommit(hours: number): string | null {
  const at = Number(git('log', '-1', '--format=%ct', 'HEAD'))
  const before = `--before=${at - hours * 3600}`
  const found = git('rev-list', '-1', '--first-parent', before, 'HEAD')
  return found === '' ? null : found
}

/** The commit that a name stands for; null where there is none. */
export function commitOf(ref: string): string | null {
  const { status, stdout } = spawnSync('git', ['rev-parse', '--verify', `${ref}^{commit}`], {
    cwd: root,
    encoding: 'utf8',
  })
  return status === 0 ? stdout.trim() : null
}

/** Checks a commit out into a folder. Its dependencies are linked where they are the same, else installed. */
export function checkOut(commit: string, folder: string): EarlierTree {
  git('worktree', 'add', '--quiet', '--detach', '--force', folder, commit)
  const lock = (tree: string): string => readFileSync(join(tree, 'package-lock.json'), 'utf8')
  const isSame = lock(root) === lock(folder)
  const { status, stderr } = isSame
    ? run('cp', ['-al', join(root, 'node_modules'), join(folder, 'node_modules')], folder)
    : run('npm', ['ci', '--prefer-offline', '--no-audit', '--no-fund', '--silent'], folder)
  if (status !== 0) throw new Error(`the dependencies of ${commit} cannot be had: ${stderr}`)
  const built = run('npm', ['run', '--silent', '--if-present', 'build'], folder)
  if (built.status !== 0) throw new Error(`${commit} cannot be built: ${built.stderr}`)
  return {
    folder,
    commit,
    [Symbol.dispose]: () => void git('worktree', 'remove', '--force', folder),
  }
}

/** The tree of this very state. */
export const thisTree = root

function run(program: string, args: readonly string[], cwd: string) {
  return spawnSync(program, args, { cwd, encoding: 'utf8' })
}

function git(...args: readonly string[]): string {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()
}
