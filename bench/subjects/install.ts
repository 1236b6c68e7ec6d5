import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'

const folder = join(import.meta.dirname, '..', 'contenders')

/** Those that npm installs, each from a folder with a package and a lock of its own. */
export const contenderNames: readonly string[] = readdirSync(folder)

/** The folder of one. */
export function folderOf(name: string): string {
  return join(folder, name)
}

/** The version of a package that one of them stands on. */
export function versionIn(name: string, dependency: string): string {
  const file = join(folder, name, 'node_modules', dependency, 'package.json')
  return String(JSON.parse(readFileSync(file, 'utf8')).version)
}

/** Whether one is there. */
export function isInstalled(name: string): boolean {
  return existsSync(join(folder, name, 'node_modules', '.complete'))
}

/**
 * Installs one by its lock, once, and says so. This is the only part of the bench that needs a
 * network. Returns why it cannot be had, or null.
 */
export function install(name: string, say: (line: string) => void): string | null {
  if (isInstalled(name)) return null
  say(`installing ${name} into bench/contenders (once) …`)
  const steps: readonly (readonly string[])[] = [
    ['ci', '--prefer-offline', '--no-audit', '--ignore-scripts'],
    ['run', 'complete'],
  ]
  for (const step of steps) {
    const { status, stderr } = spawnSync('npm', [...step, '--no-fund', '--silent'], {
      cwd: join(folder, name),
      encoding: 'utf8',
      env: { ...process.env, PATH: `${dirname(process.execPath)}:${process.env['PATH']}` },
    })
    if (status !== 0)
      return stderr.trim().split('\n').slice(-3).join(' ') || `npm ${step[0]} failed`
  }
  return null
}
