import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'

const peers = join(import.meta.dirname, '..', 'peers')

/**
 * Returns the folder of packages of others that some tests use, after installing them by their lock
 * file, once. They are no dependencies of the project, whose installation would be twice as large.
 * Throws if npm fails.
 */
export function installPeer(name: string): string {
  const folder = join(peers, name)
  installLocked(folder)
  return folder
}

/** Installs the packages of a folder by its lock file, unless they are there. Throws if npm fails. */
export function installLocked(folder: string): void {
  if (!isInstalled(folder)) install(folder)
}

/** True if the packages are not older than the lock file. */
function isInstalled(folder: string): boolean {
  const installed = statSync(join(folder, 'node_modules'), { throwIfNoEntry: false })
  const lock = statSync(join(folder, 'package-lock.json'))
  return installed !== undefined && installed.ctimeMs >= lock.mtimeMs
}

/** Installs in a new folder and renames it, so that no test of another process sees half of it. */
function install(folder: string): void {
  console.error(`installing packages into ${folder} (once) …`)
  const fresh = mkdtempSync(join(folder, 'new-'))
  try {
    for (const file of ['package.json', 'package-lock.json']) {
      cpSync(join(folder, file), join(fresh, file))
    }
    const args = ['ci', '--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund']
    const { status, stderr, error } = spawnSync('npm', [...args, '--loglevel=error'], {
      cwd: fresh,
      encoding: 'utf8',
    })
    if (status !== 0) throw new Error(`npm ci in ${folder} failed: ${error?.message ?? stderr}`)
    replace(join(folder, 'node_modules'), join(fresh, 'node_modules'))
  } finally {
    rmSync(fresh, { recursive: true, force: true })
  }
}

function replace(target: string, source: string): void {
  rmSync(target, { recursive: true, force: true })
  try {
    renameSync(source, target)
  } catch (error) {
    // Another process was faster.
    if (statSync(target, { throwIfNoEntry: false }) === undefined) throw error
  }
}
