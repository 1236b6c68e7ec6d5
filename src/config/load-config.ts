import { resolve } from 'node:path'
import { readConfigFile, type ConfigFile } from './config-file.ts'
import type { Config, SettingName } from './config.ts'
import { defaultNetworks } from './default-networks.ts'
import type { Environment } from './environment.ts'
import { settingReader, type SettingReader } from './setting-reader.ts'
import { settings } from './settings.ts'
import { unknownKeys, unknownVariables } from './unknown-names.ts'

/** Where the configuration is read from. */
export interface Origin {
  /** The texts of the flags, by flag without its dashes. */
  readonly flags: Readonly<Record<string, string>>
  readonly environment: Environment
  /** The folder in which a configuration file is looked for. */
  readonly cwd: string
}

/** What reading a configuration gives: all of it, or everything that is wrong, a sentence each. */
export type Loaded<C> =
  | { readonly ok: true; readonly config: C }
  | { readonly ok: false; readonly faults: readonly string[] }

/** Reads the configuration: flags go before the environment, that before the file. Never throws. */
export async function loadConfig({ flags, environment, cwd }: Origin): Promise<Loaded<Config>> {
  const named = flags[settings.config.flag] ?? environment[settings.config.variable] ?? null
  // An empty name is no file to look for: the reader complains of it.
  const read = named === '' ? noFile : await readConfigFile(named, cwd)
  const file = read.ok ? read.file : null
  const reader = settingReader(settings, { flags, environment, file })

  const faults = [
    ...unknownVariables(environment),
    ...(read.ok ? [] : [read.fault]),
    ...(file === null ? [] : [...unknownKeys(file), ...collectionFaults(file)]),
    ...reader.faults,
  ]
  if (faults.length > 0) return { ok: false, faults }

  const path = file === null ? null : resolve(cwd, file.path)
  return { ok: true, config: build(reader, path, collectionsOf(file)) }
}

const noFile = { ok: true, file: null } as const

function build(
  { required, value }: SettingReader<Pick<Config, SettingName>>,
  path: string | null,
  declarations: readonly unknown[],
): Config {
  const host = required('host')
  return Object.freeze({
    host,
    port: required('port'),
    store: required('store'),
    adminKey: value('adminKey'),
    webhookNetworks: value('webhookNetworks') ?? defaultNetworks(host),
    retrySchedule: required('retrySchedule'),
    simulatorDelayMs: required('simulatorDelayMs'),
    defaultSender: required('defaultSender'),
    nationalLanguages: required('nationalLanguages'),
    optOutWords: required('optOutWords'),
    optInWords: required('optInWords'),
    corsOrigins: required('corsOrigins'),
    rateLimit: required('rateLimit'),
    rateLimitBurst: required('rateLimitBurst'),
    log: required('log'),
    config: path,
    declarations,
  })
}

function collectionFaults({ path, values }: ConfigFile): readonly string[] {
  const { collections } = values
  return collections === undefined || Array.isArray(collections)
    ? []
    : [`The key collections in ${path} must be an array.`]
}

function collectionsOf(file: ConfigFile | null): readonly unknown[] {
  const collections = file?.values['collections']
  return Object.freeze(Array.isArray(collections) ? [...collections] : [])
}
