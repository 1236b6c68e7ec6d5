import { resolve } from 'node:path'
import { roles } from '../core/ports/nodes.ts'
import { readConfigFile, type ConfigFile } from './config-file.ts'
import type { Config, SettingName } from './config.ts'
import { declaredCarriers } from './declared-carriers.ts'
import { defaultNetworks } from './default-networks.ts'
import type { Environment } from './environment.ts'
import { settingReader, type SettingReader } from './setting-reader.ts'
import { settings } from './settings.ts'
import { unknownKeys, unknownVariables } from './unknown-names.ts'
import { vainWords } from './unused-names.ts'

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
  const carriers = file === null ? noCarriers : declaredCarriers(file, environment, cwd)

  const faults = [
    ...unknownVariables(environment),
    ...(read.ok ? [] : [read.fault]),
    ...(file === null ? [] : [...unknownKeys(file), ...listFaults(file)]),
    ...carriers.faults,
    ...reader.faults,
  ]
  if (faults.length > 0) return { ok: false, faults }

  const path = file === null ? null : resolve(cwd, file.path)
  const config = build(reader, path, file, carriers.carriers)
  const unserved = unservedRoles(config)
  const unusable = [...(unserved === null ? [] : [unserved]), ...vainWords(config)]
  return unusable.length === 0 ? { ok: true, config } : { ok: false, faults: unusable }
}

/** What one node leaves out another must do, and only PostgreSQL can have another. */
function unservedRoles({ store, roles: given }: Config): string | null {
  const missing = roles.filter((role) => !given.includes(role))
  if (store.kind === 'postgres' || missing.length === 0) return null
  return (
    `The setting roles leaves out ${missing.join(' and ')}, which no other node can do: ` +
    'only a store in PostgreSQL is shared by several nodes.'
  )
}

const noFile = { ok: true, file: null } as const
const noCarriers = { carriers: [], faults: [] } as const

function build(
  { required, value }: SettingReader<Pick<Config, SettingName>>,
  path: string | null,
  file: ConfigFile | null,
  carriers: readonly unknown[],
): Config {
  const host = required('host')
  const webhookNetworks = value('webhookNetworks') ?? defaultNetworks(host)
  return Object.freeze({
    host,
    port: required('port'),
    store: required('store'),
    roles: required('roles'),
    adminKey: value('adminKey'),
    webhookNetworks,
    carrierNetworks: value('carrierNetworks') ?? webhookNetworks,
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
    declarations: listOf('collections', file),
    versions: listOf('versions', file),
    carriers: Object.freeze([...carriers]),
  })
}

/** What the file declares beside the settings, each key a list. */
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
