import { registerHooks } from 'node:module'
import { extname, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { siblingModule } from '../core/sibling-module.ts'

// Not imported, which would load all that it exports (docs/decisions/0016).
const { existsSync, readFileSync } = process.getBuiltinModule('node:fs')

/** The object that a configuration file exports. */
export interface ConfigFile {
  /** The path as given, for messages. */
  readonly path: string
  readonly values: Readonly<Record<string, unknown>>
}

/** The result of reading the configuration file; `file` is null if none exists and none was named. */
export type FileRead =
  | { readonly ok: true; readonly file: ConfigFile | null }
  | { readonly ok: false; readonly fault: string }

/** The paths of a configuration file, if none is named. */
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
  // A missing file must not read like a missing import of the file.
  readFileSync(path)
  const exported = await importModule(pathToFileURL(path).href)
  if (!isRecord(exported)) return undefined
  return exported['config'] ?? exported['default']
}

/** The module that a configuration file imports as `nuncio`. */
const entrance = siblingModule('../index', import.meta.url).href

/**
 * Imports a module and resolves `nuncio` to this program. A configuration file then needs no installed
 * package, and its declarations have this version.
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

/** Describes the fault without the parser's message, which quotes text that may hold a secret. */
function jsonFault(text: string): string | null {
  try {
    JSON.parse(text)
    return null
  } catch (error) {
    const position = /\(line \d+ column \d+\)/.exec(messageOf(error))?.[0]
    return `it is not valid JSON${position === undefined ? '' : ` ${position}`}.`
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
