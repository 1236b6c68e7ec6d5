import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { TestContext } from 'node:test'
import { promisify } from 'node:util'

/** A file system of its own, in memory and small, that only programs started `through` it see. */
export interface SmallDisk {
  readonly through: readonly string[]
  /** Fills it to the last octet. */
  fill(): Promise<void>
  /** Makes room again. */
  clear(): Promise<void>
  /** Makes it readable only, or writable again. Fails while somebody has a file open for writing. */
  allowWriting(isAllowed: boolean): Promise<void>
}

const run = promisify(execFile)

/** Ways to a namespace in which one may mount: as root, and as an ordinary user where the system allows it. */
const ways = [
  { make: ['unshare', '--mount'], enter: ['--mount'] },
  {
    make: ['unshare', '--map-root-user', '--mount'],
    enter: ['--user', '--mount', '--preserve-credentials'],
  },
]

/** Mounts a small file system over a folder; null where this user may not. It goes with the test. */
export async function smallDisk(
  t: TestContext,
  folder: string,
  megabytes: number,
): Promise<SmallDisk | null> {
  for (const { make, enter } of ways) {
    const script = 'mount -t tmpfs -o size="$2" none "$1" && echo mounted && exec sleep infinity'
    const [command = '', ...rest] = [...make, 'sh', '-c', script, 'sh', folder, `${megabytes}m`]
    const holder = spawn(command, rest, { stdio: ['ignore', 'pipe', 'ignore'] })
    const failed = new Promise<boolean>((resolve) => {
      holder.once('error', () => resolve(false))
      holder.once('exit', () => resolve(false))
    })
    const mounted = once(holder.stdout, 'data').then(() => true)
    if (!(await Promise.race([mounted, failed]))) continue

    t.after(() => holder.kill('SIGKILL'))
    const through = ['nsenter', `--target=${holder.pid}`, ...enter, `--wd=${folder}`]
    const inside = async (text: string): Promise<void> => {
      const [program = '', ...args] = [...through, 'sh', '-c', text, 'sh', folder]
      await run(program, args)
    }
    return {
      through,
      fill: () => inside('dd if=/dev/zero of="$1/ballast" bs=4k 2>/dev/null || true'),
      clear: () => inside('rm "$1/ballast"'),
      allowWriting: (isAllowed) => inside(`mount -o remount,bind,${isAllowed ? 'rw' : 'ro'} "$1"`),
    }
  }
  return null
}
