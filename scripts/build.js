// Compiles the packages that are published into their `dist` folders, each with the manifest to publish.
// Plain JavaScript: `npm ci` runs it, possibly on a Node that runs no TypeScript.
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc')

/** In the order of their imports, with the files to publish that are not compiled. */
const packages = [
  { folder: 'packages/receiver', copied: ['README.md', 'REFERENCE.md'] },
  { folder: 'packages/client', copied: ['README.md'] },
  { folder: '.', copied: ['README.md', 'providers', 'vendor', 'console/dist'] },
]

/** Members of manifests and exports that no installed package needs. */
const ofCheckout = ['private', 'scripts', 'workspaces', 'devDependencies', 'nuncio-source']

if (existsSync(compiler)) {
  for (const each of packages) build(each)
} else if (!existsSync(join(root, 'dist', 'package.json'))) {
  console.error('There is no compiler and no build. Run "npm ci", which installs both, to start.')
  // An installation without development tools may get its build afterwards, as an image does.
  if (process.env.npm_lifecycle_event !== 'prepare') process.exitCode = 1
}

function build({ folder, copied }) {
  const from = join(root, folder)
  const to = join(from, 'dist')
  if (folder === '.') buildConsole()
  const config = join(from, 'tsconfig.build.json')
  const { status } = spawnSync(process.execPath, [compiler, '-p', config], { stdio: 'inherit' })
  if (status !== 0) process.exit(1)
  for (const name of copied) cpSync(join(from, name), join(to, name), { recursive: true })
  cpSync(join(root, 'LICENSE'), join(to, 'LICENSE'))
  removeStale({ folder, to })

  const manifest = published(JSON.parse(readFileSync(join(from, 'package.json'), 'utf8')))
  writeFileSync(join(to, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  for (const program of Object.values(manifest.bin ?? {})) chmodSync(join(to, program), 0o755)
}

/** Builds the web console, which takes longer than the rest, if its files are newer than its build. */
function buildConsole() {
  const folder = join(root, 'console')
  const built = statSync(join(folder, 'dist/index.html'), { throwIfNoEntry: false })?.mtimeMs ?? 0
  const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (file) => !/^(dist|node_modules)\b/.test(file),
  )
  if (sources.every((file) => statSync(join(folder, file)).mtimeMs <= built)) return
  const { status } = spawnSync('npm', ['run', '--silent', 'build'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  if (status !== 0) process.exit(1)
}

/** Removes the output of sources that are gone; of the service, the other packages contain types only. */
function removeStale({ folder, to }) {
  for (const file of readdirSync(to, { recursive: true, encoding: 'utf8' })) {
    const [, name, kind] = /^((?:src|bin|packages)[\\/].*?)\.(js|js\.map|d\.ts)$/.exec(file) ?? []
    if (name === undefined) continue
    const isCode = kind !== 'd.ts'
    const isForeign = isCode && folder !== '.' && !file.startsWith('packages')
    if (isForeign || !existsSync(join(root, `${name}.ts`))) rmSync(join(to, file))
  }
}

/** Returns the manifest to publish: paths start at `dist`, and what only a checkout needs is missing. */
function published(manifest) {
  const { access, ...changed } = manifest.publishConfig
  const all = Object.assign({}, manifest, changed, { publishConfig: { access } })
  return JSON.parse(
    JSON.stringify(all, (key, value) => {
      if (ofCheckout.includes(key)) return undefined
      return typeof value === 'string' ? value.replace(/^(\.\/)?dist\//, '$1') : value
    }),
  )
}
