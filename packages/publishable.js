// What npm runs before and after it packs a package of this folder (`prepack`, `postpack`). In the
// repository a package is its TypeScript, which Node runs as it is; published it is what `tsc` makes of it.
import { execFileSync } from 'node:child_process'
import {
  copyFileSync,
  globSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Where the manifest waits while the one to publish stands in its place. */
const kept = 'package.json.kept'

const step = process.argv[2]
if (step === 'build') build()
else if (step === 'restore') restore()
else throw new Error(`Say build or restore, not ${step}.`)

/** Makes `dist`, and lets the manifest lead there: what `publishConfig` says of it replaces the rest. */
function build() {
  if (isThere(kept)) restore()
  rmSync('dist', { recursive: true, force: true })
  const compiler = fileURLToPath(import.meta.resolve('typescript/package.json'))
  const tsc = compiler.replace(/package\.json$/, 'bin/tsc')
  execFileSync(process.execPath, [tsc, '-p', 'tsconfig.build.json'], { stdio: 'inherit' })
  // Of the service only the types are wanted: nothing of it is imported when a program runs.
  for (const file of globSync('dist/src/**/*.js')) rmSync(file)

  const {
    publishConfig,
    scripts: _,
    ...manifest
  } = JSON.parse(readFileSync('package.json', 'utf8'))
  copyFileSync('../../LICENSE', 'LICENSE')
  renameSync('package.json', kept)
  writeFileSync('package.json', `${JSON.stringify({ ...manifest, ...publishConfig }, null, 2)}\n`)
}

function restore() {
  rmSync('LICENSE', { force: true })
  if (isThere(kept)) renameSync(kept, 'package.json')
}

function isThere(file) {
  return statSync(file, { throwIfNoEntry: false }) !== undefined
}
