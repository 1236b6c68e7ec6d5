import { execFile } from 'node:child_process'
import { chown } from 'node:fs/promises'
import { promisify } from 'node:util'
import { programIn, project } from '../../../support/program.ts'

const run = promisify(execFile)

/** The user that is nobody. */
const nobody = 65534

/**
 * How to start a program for which the modes of files count: as it is, or as nobody where the test
 * is root, for whom they do not. Gives the folder to that user. Null where that cannot be had.
 */
export async function ordinaryUser(folder: string): Promise<readonly string[] | null> {
  if (process.getuid?.() !== 0) return []
  const user = String(nobody)
  const through = ['setpriv', `--reuid=${user}`, `--regid=${user}`, '--clear-groups']
  try {
    await run('setpriv', [...through.slice(1), process.execPath, ...programIn(project), 'version'])
    await chown(folder, nobody, nobody)
    return through
  } catch {
    return null
  }
}
