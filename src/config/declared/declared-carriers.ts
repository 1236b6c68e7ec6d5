import { dirname, resolve } from 'node:path'
import type { ConfigFile } from '../config-file.ts'
import type { Environment } from '../environment.ts'

// Not imported, which would load all that it exports (docs/decisions/0016).
const { readFileSync } = process.getBuiltinModule('node:fs')

/** The carriers that a configuration file declares, with values from the environment inserted. */
export interface DeclaredCarriers {
  readonly carriers: readonly unknown[]
  /** A sentence each. */
  readonly faults: readonly string[]
}

/**
 * Reads `carriers` of a configuration file. An item is a carrier, or the path of a JSON file with one,
 * relative to the configuration file. A setting, a parameter or a secret may be `{ "env": "NAME" }`:
 * the environment variable then has its value. The member `about` of a ready declaration is for
 * readers. Never throws.
 */
export function declaredCarriers(
  { path, values }: ConfigFile,
  environment: Environment,
  cwd: string,
): DeclaredCarriers {
  const list = values['carriers']
  if (!Array.isArray(list)) return { carriers: [], faults: [] }
  const faults: string[] = []
  const carriers: unknown[] = []
  for (const [index, item] of list.entries()) {
    const location = `carriers[${index}] in ${path}`
    const read = typeof item === 'string' ? readOne(item, location, path, cwd, faults) : item
    carriers.push(
      withVariables(read, (name, at) => {
        const value = environment[name]
        if (value === undefined || value === '') {
          faults.push(
            `${location}: ${at} names the environment variable ${name}, which is not set.`,
          )
        }
        return value ?? ''
      }),
    )
  }
  return { carriers, faults }
}

function readOne(
  item: string,
  location: string,
  path: string,
  cwd: string,
  faults: string[],
): unknown {
  const file = resolve(dirname(resolve(cwd, path)), item)
  const text = readOrNull(file)
  if (text === null) {
    faults.push(`${location} names the file ${item}, which cannot be read.`)
    return {}
  }
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch {
    // The parser's message quotes text that may hold a secret.
    faults.push(`${location} names the file ${item}, which is not valid JSON.`)
    return {}
  }
}

function readOrNull(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return null
  }
}

type Lookup = (name: string, at: string) => string

/** Settings whose members may name environment variables, like the settings themselves. */
const groups = ['secrets', 'parameters']

function withVariables(carrier: unknown, lookup: Lookup): unknown {
  if (!isRecord(carrier) || !isRecord(carrier['settings'])) return carrier
  const { about: _about, ...declared } = carrier
  const settings = resolved(carrier['settings'], lookup, 'settings')
  for (const name of groups) {
    const group = settings[name]
    if (isRecord(group)) settings[name] = resolved(group, lookup, `settings.${name}`)
  }
  return { ...declared, settings }
}

function resolved(
  record: Readonly<Record<string, unknown>>,
  lookup: Lookup,
  at: string,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(record).map(([name, value]) => {
      const variable = variableIn(value)
      return [name, variable === null ? value : lookup(variable, `${at}.${name}`)]
    }),
  )
}

function variableIn(value: unknown): string | null {
  if (!isRecord(value) || Object.keys(value).length !== 1) return null
  return typeof value['env'] === 'string' ? value['env'] : null
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
