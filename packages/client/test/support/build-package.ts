import { execFile } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** A path, given from the folder of the package. */
export const here = (path: string): string =>
  fileURLToPath(new URL(join('../..', path), import.meta.url))

/** Runs the compiler. Rejects with what it says. */
export async function compile(...options: string[]): Promise<void> {
  const compiler = here('../../node_modules/typescript/bin/tsc')
  try {
    await run(process.execPath, [compiler, ...options])
  } catch (error) {
    throw new Error(String((error as { stdout?: string }).stdout), { cause: error })
  }
}

/** Builds the package as it is published into a folder's node_modules. Returns its path. */
export async function buildPackage(folder: string): Promise<string> {
  const home = join(folder, 'node_modules/@nuncio/client')
  await mkdir(home, { recursive: true })
  await compile('-p', here('tsconfig.build.json'), '--outDir', home)
  const { name, version, type }: Record<string, string> = JSON.parse(
    await readFile(here('package.json'), 'utf8'),
  )
  const exports = { '.': './packages/client/src/index.js' }
  await writeFile(join(home, 'package.json'), JSON.stringify({ name, version, type, exports }))
  return home
}
