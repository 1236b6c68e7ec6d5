import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { publishedPackages } from '../../../../scripts/release/published-packages.ts'
import { project } from '../../../support/program.ts'
import { startInstalled, type InstalledService } from './installed-service.ts'

/** An empty project that has installed the tarballs of this one. */
export interface Consumer extends AsyncDisposable {
  readonly folder: string
  readonly tarballs: Readonly<Record<string, string>>
  file(path: string): string
  write(path: string, text: string): Promise<void>
  /** Runs a program in the folder. Never rejects. */
  run(program: string, args: readonly string[], node?: string): Promise<Outcome>
  /** Starts the installed service, by default on the Node of the tests. */
  serve(node?: string): Promise<InstalledService>
}

/** What a program printed, and how it ended. */
export interface Outcome {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** Builds and packs the three packages, and installs them in a new folder. */
export async function installPacked(): Promise<Consumer> {
  const folder = await mkdtemp(join(tmpdir(), 'nuncio-packages-'))
  const consumer: Consumer = {
    folder,
    tarballs: {},
    file: (path) => join(folder, path),
    write: async (path, text) => {
      await mkdir(dirname(join(folder, path)), { recursive: true })
      await writeFile(join(folder, path), text)
    },
    run: (program, args, node = process.execPath) => runIn(folder, program, args, node),
    serve: (node = process.execPath) => startInstalled(folder, environmentWith(node)),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  }
  await succeed(project, 'npm', ['run', '--silent', 'build'])
  const tarballs: Record<string, string> = {}
  for (const [name, packed] of Object.entries(publishedPackages)) {
    const { stdout } = await succeed(join(project, packed), 'npm', [
      'pack',
      '--silent',
      '--pack-destination',
      folder,
    ])
    tarballs[name] = join(folder, stdout.trim().split('\n').at(-1) ?? '')
  }
  await consumer.write('package.json', '{"type":"module","private":true}')
  const quiet = ['--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error']
  await succeed(folder, 'npm', ['install', ...quiet, ...Object.values(tarballs)])
  return { ...consumer, tarballs }
}

async function succeed(cwd: string, program: string, args: readonly string[]): Promise<Outcome> {
  const outcome = await runIn(cwd, program, args, process.execPath)
  if (outcome.code !== 0) {
    throw new Error(`${program} ${args.join(' ')}: ${outcome.stdout}${outcome.stderr}`)
  }
  return outcome
}

/** Runs a program with one Node in the path. */
async function runIn(
  cwd: string,
  program: string,
  args: readonly string[],
  node: string,
): Promise<Outcome> {
  const env = environmentWith(node)
  try {
    const { stdout, stderr } = await promisify(execFile)(program, args, { cwd, env })
    return { code: 0, stdout, stderr }
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string }
    return { code, stdout, stderr }
  }
}

/** Returns the environment with one Node first in the path, without the settings of `npm test`. */
function environmentWith(node: string): NodeJS.ProcessEnv {
  const own = /^(NUNCIO_|npm_(?!config_)|npm_config_local_prefix|NODE_(?!EXTRA_CA)|INIT_CWD)/i
  const inherited = Object.entries(process.env).filter(([name]) => !own.test(name))
  const { PATH = '', ...others }: NodeJS.ProcessEnv = Object.fromEntries(inherited)
  const path = PATH.split(delimiter).filter((part) => !part.endsWith('node_modules/.bin'))
  return { ...others, PATH: [dirname(node), ...path].join(delimiter) }
}
