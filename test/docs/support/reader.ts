import { execFileSync } from 'node:child_process'
import { mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { freePort } from '../../support/free-ports.ts'

/** The folder of the repository. */
export const root = join(import.meta.dirname, '..', '..', '..')

/** The ports that the pages name: the service's own, and that of a receiver. */
const portsShown = ['8080', '3000'] as const

/** Secrets that a command writes as `nuncio_…` or `whsec_…`: the one shown last is meant. */
const secretForms = [/nuncio_[\w.~-]+_[\w-]{43}/g, /whsec_[A-Za-z0-9+/]{43}=/g] as const

/** Somebody who follows a page, in a folder of their own that looks like this repository. */
export interface Reader extends AsyncDisposable {
  readonly folder: string
  readonly environment: Readonly<Record<string, string>>
  /** A command as it is run: with free ports, and with the secrets that were shown. */
  asRun(command: string): string
  /** An output as the page shows it: with the ports that it names. Remembers the secrets in it. */
  asShown(output: string): string
  /** The last administrator's or other key that was shown; empty where there was none. */
  key(): string
  write(file: string, text: string): Promise<void>
}

/** The database that the pages name. */
export const databaseShown = 'postgres://nuncio@db.example/nuncio'

/**
 * Makes a reader, who has a database where its address is given. Its folder has links to what the
 * repository has, so that what is written stays apart.
 */
export async function newReader(database: string | null = null): Promise<Reader> {
  const folder = await mkdtemp(join(tmpdir(), 'nuncio-docs-'))
  for (const name of await readdir(root)) {
    if (!['.git', 'data'].includes(name)) await symlink(join(root, name), join(folder, name))
  }
  // What npx would fetch is not here. A newline behind each answer tells them apart; a refusal fails.
  await writeFile(join(folder, '.curlrc'), 'silent\nfail-with-body\nwrite-out = "\\n"\n')

  const ports = new Map<string, string>()
  for (const port of portsShown) ports.set(port, String(await freePort()))
  const secrets = new Map<string, string>()
  const renamed = (text: string, names: Iterable<readonly [string, string]>): string =>
    [...names].reduce((all, [from, to]) => all.replace(new RegExp(`\\b${from}\\b`, 'g'), to), text)

  return {
    folder,
    environment: environmentOf(folder, ports),
    asRun: (command) =>
      renamed(withDatabase(withoutInstalling(command), database), ports).replace(
        /\b(nuncio|whsec)_…/g,
        (text, prefix: string) => {
          return secrets.get(prefix) ?? text
        },
      ),
    asShown: (output) => {
      for (const form of secretForms) {
        const last = output.match(form)?.at(-1)
        if (last !== undefined) secrets.set(last.split('_', 1)[0] ?? '', last)
      }
      return renamed(
        output,
        [...ports].map(([shown, free]) => [free, shown] as const),
      )
    },
    key: () => secrets.get('nuncio') ?? '',
    write: (file, text) => writeFile(join(folder, file), `${renamed(text, ports)}\n`),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  }
}

function withDatabase(command: string, database: string | null): string {
  return database === null ? command : command.replaceAll(databaseShown, database)
}

/** What npm installs is here already; in this folder of links it would tear down the original. */
function withoutInstalling(command: string): string {
  return command.replace(/^npm (ci|install)\b.*$/gm, ':')
}

/** Tells whether a program can be had under this name. */
export function hasProgram(name: string): boolean {
  try {
    execFileSync('sh', ['-c', `command -v ${name}`], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** As a newcomer's: without the settings of this machine, and without what `npm test` puts in the path. */
function environmentOf(
  folder: string,
  ports: ReadonlyMap<string, string>,
): Readonly<Record<string, string>> {
  const kept = Object.entries(process.env).flatMap(([name, value]) =>
    value === undefined || /^(NUNCIO_|npm_|NODE_|WEBHOOK_)/i.test(name) ? [] : [[name, value]],
  )
  const { PATH = '', ...others }: Record<string, string> = Object.fromEntries(kept)
  const path = PATH.split(delimiter).filter((part) => !part.endsWith('node_modules/.bin'))
  const [service = '', receiver = ''] = portsShown.map((port) => ports.get(port) ?? '')
  return {
    ...others,
    PATH: path.join(delimiter),
    CURL_HOME: folder,
    npm_config_cache: join(folder, '.npm'),
    npm_config_userconfig: join(folder, '.npmrc'),
    npm_config_offline: 'true',
    npm_config_update_notifier: 'false',
    NUNCIO_PORT: service,
    NUNCIO_URL: `http://127.0.0.1:${service}`,
    PORT: receiver,
  }
}
