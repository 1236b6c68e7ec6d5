import { execFile } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** A Debian package that was unpacked, or the reason why it cannot be had. */
export type DebianPackage =
  | { readonly root: string; readonly env: Record<string, string>; readonly lacking: null }
  | { readonly lacking: string }

/** Fetches a package; `program` is a file in it. */
export async function fetchPackage(name: string, program: string): Promise<DebianPackage> {
  const home = join(tmpdir(), `nuncio-${name}`)
  try {
    await promisify(execFile)('sh', [join(import.meta.dirname, 'fetch.sh'), home, name, program])
  } catch (error) {
    return { lacking: (error as { stderr?: string }).stderr?.trim() || String(error) }
  }
  const root = join(home, 'root')
  const folders = ['usr/lib/x86_64-linux-gnu', 'lib/x86_64-linux-gnu'].map((each) =>
    join(root, each),
  )
  const { PATH = '' } = process.env
  return { root, env: { PATH, LD_LIBRARY_PATH: folders.join(':') }, lacking: null }
}
