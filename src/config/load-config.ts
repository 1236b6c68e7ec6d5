import { resolve } from 'node:path'
import { configFaults } from './config-faults.ts'
import { readConfigFile, type ConfigFile } from './config-file.ts'
import type { Config } from './config.ts'
import { declaredCarriers } from './declared/declared-carriers.ts'
import { readOpenId } from './declared/read-open-id.ts'
import type { Environment } from './environment.ts'
import { settingReader } from './setting-reader.ts'
import { settings } from './settings.ts'
import { unknownKeys, unknownVariables } from './unknown-names.ts'
import { isLoopback } from './loopback.ts'

/** The sources of a configuration. */
export interface Origin {
  /** The texts of the flags, by flag without its dashes. */
  readonly flags: Readonly<Record<string, string>>
  readonly environment: Environment
  /** The folder that may hold a configuration file. */
  readonly cwd: string
}

/** The result of reading a configuration: all of it, or all faults, a sentence each. */
export type Loaded<C> =
  | { readonly ok: true; readonly config: C }
  | { readonly ok: false; readonly faults: readonly string[] }

/** Reads the configuration: flags override the environment, which overrides the file. Never throws. */
export async function loadConfig({ flags, environment, cwd }: Origin): Promise<Loaded<Config>> {
  const named = flags[settings.config.flag] ?? environment[settings.config.variable] ?? null
  // The reader refuses an empty name.
  const read = named === '' ? noFile : await readConfigFile(named, cwd)
  const file = read.ok ? read.file : null
  const reader = settingReader(settings, { flags, environment, file })
  const openId = readOpenId(file, environment)
  const carriers = file === null ? noCarriers : declaredCarriers(file, environment, cwd)

  const faults = [
    ...unknownVariables(environment),
    ...(read.ok ? [] : [read.fault]),
    ...(file === null ? [] : [...unknownKeys(file), ...listFaults(file)]),
    ...carriers.faults,
    ...openId.faults,
    ...reader.faults,
  ]
  if (faults.length > 0) return { ok: false, faults }

  const values = reader.values()
  const webhookNetworks = values.webhookNetworks ?? defaultNetworks(values.host)
  const config = Object.freeze({
    ...values,
    webhookNetworks,
    carrierNetworks: values.carrierNetworks ?? webhookNetworks,
    config: file === null ? null : resolve(cwd, file.path),
    declarations: listOf('collections', file),
    versions: listOf('versions', file),
    carriers: Object.freeze([...carriers.carriers]),
    oidc: openId.oidc,
  })
  const unusable = configFaults(config)
  return unusable.length === 0 ? { ok: true, config } : { ok: false, faults: unusable }
}

const noFile = { ok: true, file: null } as const
const noCarriers = { carriers: [], faults: [] } as const

/** The lists that a configuration file may declare besides the settings. */
const lists = ['collections', 'versions', 'carriers'] as const

function listFaults({ path, values }: ConfigFile): readonly string[] {
  return lists
    .filter((key) => values[key] !== undefined && !Array.isArray(values[key]))
    .map((key) => `The key ${key} in ${path} must be an array.`)
}

function listOf(key: (typeof lists)[number], file: ConfigFile | null): readonly unknown[] {
  const list = file?.values[key]
  return Object.freeze(Array.isArray(list) ? [...list] : [])
}

const loopbackNetworks: readonly string[] = Object.freeze(['127.0.0.0/8', '::1/128'])
const noNetworks: readonly string[] = Object.freeze([])

/**
 * Returns the networks that webhooks may reach by default: this machine's if only this machine can
 * create a webhook, else none.
 */
function defaultNetworks(host: string): readonly string[] {
  return isLoopback(host) ? loopbackNetworks : noNetworks
}
