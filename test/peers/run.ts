import { spawnSync } from 'node:child_process'
import { existsSync, globSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { installPeer } from '../support/peer.ts'

// Runs the tests with programs of others from npm: of the named folders, else of all.
const folder = import.meta.dirname
const root = join(folder, '..', '..')
const all = readdirSync(folder).filter((name) => existsSync(join(folder, name, 'package.json')))
const named = process.argv.slice(2)
const unknown = named.find((name) => !all.includes(name))
if (unknown !== undefined) throw new Error(`Unknown peer ${unknown}; use ${all.join(', ')}.`)

// The compiler follows the imports of all.
for (const name of all) installPeer(name)
run(join(root, 'node_modules', 'typescript', 'bin', 'tsc'), '-p', folder)
const files = (named.length === 0 ? all : named).flatMap((name) =>
  globSync(join(folder, name, '*.ts')),
)
run('--test', '--test-timeout=600000', ...files)

/** Ends this process if the program fails. */
function run(...args: readonly string[]): void {
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}
