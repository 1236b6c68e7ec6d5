import { registerHooks } from 'node:module'
import { extname, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

// Not imported, which would load all that it exports (docs/decisions/0016).
const { existsSync, readFileSync } = process.getBuiltinModule('node:fs')

/** What a configuration file says: the object that it exports. */
export interface ConfigFile {
  /** As it is shown to people: as it was given. */
  readonly path: string
  readonly values: Readonly<Record<string, unknown>>
}

/** What looking for a configuration file gives; `file` is null where there is none and none was named. */
export type FileRead =
  | { readonly ok: true; readonly file: ConfigFile | null }
  | { readonly ok: false; readonly fault: string }

/** Where a configuration file is looked for when none is named. */
const defaultPaths = ['./nuncio.config.ts', './nuncio.config.json'] as const

const modules = ['.ts', '.mts', '.js', '.mjs']

/**
 * Reads the configuration file: the one named, which must exist, or the one in the folder `cwd`.
 * Never throws. A module exports `config`, or the same as its default.
 */
export async function readConfigFile(named: string | null, cwd: string): Promise<FileRead> {
  const present =
    named === null ? defaultPaths.filter((path) => existsSync(resolve(cwd, path))) : []
  if (present.length > 1) {
    return fault(`There are both ${present.join(' and ')}: remove one, or name one with --config.`)
  }

  const path = named ?? present[0]
  if (path === undefined) return { ok: true, file: null }

  try {
    const values = await readValues(resolve(cwd, path))
    return isRecord(values)
      ? { ok: true, file: { path, values } }
      : fault(`The configuration file ${path} must ${shape(path)}.`)
  } catch (error) {
    return fault(`The configuration file ${path} cannot be read: ${reason(error)}`)
  }
}

function shape(path: string): string {
  return extname(path) === '.json'
    ? 'hold a JSON object'
    : 'export an object: export const config = { … }, or export default { … }'
}

async function readValues(path: string): Promise<unknown> {
  const kind = extname(path)
  if (kind === '.json') return parseJson(readFileSync(path, 'utf8'))
  if (!modules.includes(kind))
    throw new Error(`its name must end in .json or ${modules.join(', ')}.`)
  // An import that is not there and a file that is not there would read alike.
  readFileSync(path)
  const exported = await importModule(pathToFileURL(path).href)
  if (!isRecord(exported)) return undefined
  return exported['config'] ?? exported['default']
}

/** What a program may import from `nuncio`. */
const entrance = new URL('../index.ts', import.meta.url).href

/**
 * Imports a module. Wherever it lies, `nuncio` is the program that reads it: nothing need be installed
 * beside a configuration file, and what it declares is of this version.
 */
async function importModule(url: string): Promise<unknown> {
  const hooks = registerHooks({
    resolve: (specifier, context, next) =>
      specifier === 'nuncio' ? { url: entrance, shortCircuit: true } : next(specifier, context),
  })
  try {
    return await import(url)
  } finally {
    hooks.deregister()
  }
}

function parseJson(text: string): unknown {
  const json = text.replace(/^\uFEFF/, '')
  const fault = jsonFault(json)
  if (fault !== null) throw new Error(fault)
  return JSON.parse(json)
}

/** The parser's own message quotes the text around the fault, and a secret may stand there. */
function jsonFault(text: string): string | null {
  try {
    JSON.parse(text)
    return null
  } catch (error) {
    const place = /\(line \d+ column \d+\)/.exec(messageOf(error))?.[0]
    return `it is not valid JSON${place === undefined ? '' : ` ${place}`}.`
  }
}

function reason(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'ENOENT') return 'there is no such file.'
  if (code === 'EACCES') return 'this user may not read it.'
  if (code === 'EISDIR') return 'it is a folder.'
  return messageOf(error)
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function fault(text: string): FileRead {
  return { ok: false, fault: text }
}
