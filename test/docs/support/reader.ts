import { execFileSync } from 'node:child_process'
import { mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { freePort } from '../../support/free-ports.ts'

/** The folder of the repository. */
export const root = join(import.meta.dirname, '..', '..', '..')

/** The ports that the pages name. */
const servicePortShown = '8080'
const receiverPortShown = '3000'

/** The line in which a service reports the port that it listens on. */
const readyLine = /^Nuncio \S+ is ready at http:\/\/127\.0\.0\.1:(\d+)$/m

/** Secrets that a command writes as `nuncio_…` or `whsec_…`: the one shown last is meant. */
const secretForms = [/nuncio_[\w.~-]+_[\w-]{43}/g, /whsec_[A-Za-z0-9+/]{43}=/g] as const

/** Somebody who follows a page, in a folder of their own that looks like this repository. */
export interface Reader extends AsyncDisposable {
  readonly folder: string
  readonly environment: Readonly<Record<string, string>>
  /** A script as it is run: with the ports of this run, and with the secrets that were shown. */
  asRun(script: string): string
  /** Returns an output with the ports that the page names. Remembers the service's port and the secrets. */
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

  // The service chooses its port and reports it: a port found beforehand can be taken by its start.
  const ports = new Map([[receiverPortShown, String(await freePort())]])
  const secrets = new Map<string, string>()
  const renamed = (text: string, names: Iterable<readonly [string, string]>): string =>
    [...names].reduce((all, [from, to]) => all.replace(new RegExp(`\\b${from}\\b`, 'g'), to), text)

  return {
    folder,
    environment: environmentOf(folder, ports.get(receiverPortShown) ?? ''),
    asRun: (script) =>
      addressOf(ports.get(servicePortShown)) +
      renamed(withDatabase(withoutInstalling(script), database), ports).replace(
        /\b(nuncio|whsec)_…/g,
        (text, prefix: string) => {
          return secrets.get(prefix) ?? text
        },
      ),
    asShown: (output) => {
      const port = readyLine.exec(output)?.[1]
      if (port !== undefined) ports.set(servicePortShown, port)
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
  return command.replace(/^npm (ci|install)\b[^&\n]*/gm, ': ')
}

/** Names the running service in a script. One that starts again keeps its port. */
function addressOf(port: string | undefined): string {
  return port === undefined
    ? ''
    : `export NUNCIO_PORT=${port} NUNCIO_SERVICE=http://127.0.0.1:${port}\n`
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
function environmentOf(folder: string, receiver: string): Readonly<Record<string, string>> {
  const kept = Object.entries(process.env).flatMap(([name, value]) =>
    value === undefined || /^(NUNCIO_|npm_|NODE_|WEBHOOK_)/i.test(name) ? [] : [[name, value]],
  )
  const { PATH = '', ...others }: Record<string, string> = Object.fromEntries(kept)
  const path = PATH.split(delimiter).filter((part) => !part.endsWith('node_modules/.bin'))
  return {
    ...others,
    PATH: path.join(delimiter),
    CURL_HOME: folder,
    npm_config_cache: join(folder, '.npm'),
    npm_config_userconfig: join(folder, '.npmrc'),
    npm_config_offline: 'true',
    npm_config_update_notifier: 'false',
    NUNCIO_PORT: '0',
    PORT: receiver,
  }
}
