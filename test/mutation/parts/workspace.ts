import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

/** A copy of the project, to be changed. */
export interface Workspace extends Disposable {
  readonly folder: string
  write(file: string, text: string): void
}

/** The files of the project, those included that are not committed yet. */
export function projectFiles(): readonly string[] {
  const listed = ['ls-files', '--cached', '--others', '--exclude-standard']
  return execFileSync('git', listed, { encoding: 'utf8' })
    .split('\n')
    .filter((file) => file !== '' && existsSync(file))
}

/** Copies the project to a temporary folder. Its packages are the same ones: nobody changes them. */
export function copyProject(): Workspace {
  const folder = mkdtempSync(join(tmpdir(), 'nuncio-mutation-'))
  for (const file of projectFiles()) cpSync(file, join(folder, file))
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'))
  return {
    folder,
    write: (file, text) => writeFileSync(join(folder, file), text),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  }
}
