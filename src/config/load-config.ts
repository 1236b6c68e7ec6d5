import { resolve } from 'node:path'
import { didYouMean } from '../core/declaration/nearest.ts'
import { englishKeywords, type KeywordAction } from '../core/keywords.ts'
import { roles } from '../core/ports/nodes.ts'
import { type ClientConfig, clientSettings } from './client-settings.ts'
import { type ConfigFile, readConfigFile } from './config-file.ts'
import type { Config } from './config.ts'
import { declaredCarriers } from './declared/declared-carriers.ts'
import { readOpenId } from './declared/read-open-id.ts'
import type { Environment } from './environment.ts'
import { isLoopback } from './loopback.ts'
import { settingReader } from './setting-reader.ts'
import { settings } from './settings.ts'

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

/** Returns one sentence for each combination of values that cannot work. */
function configFaults(config: Config): readonly string[] {
  return [...unservedRoles(config), ...ineffectiveKeywords(config)]
}

/** Only a store in PostgreSQL has other nodes, which could run the missing roles. */
function unservedRoles({ store, roles: given }: Config): readonly string[] {
  const missing = roles.filter((role) => !given.includes(role))
  if (store.kind === 'postgres' || missing.length === 0) return []
  return [
    `The setting roles leaves out ${missing.join(' and ')}, which no other node can do: ` +
      'only a store in PostgreSQL is shared by several nodes.',
  ]
}

/** Returns one sentence for each keyword of the operator that cannot do what its setting says. */
function ineffectiveKeywords({ optOutWords, optInWords }: Config): readonly string[] {
  const english = (setting: string, words: readonly string[], action: KeywordAction): string[] =>
    words
      .filter((word) => (englishKeywords.get(word.toUpperCase()) ?? action) !== action)
      .map((word) => `The setting ${setting} names ${word}, which ${opposites[action]} everywhere.`)
  const both = optInWords.filter((word) => optOutWords.some((other) => isSame(word, other)))
  return [
    ...english('optOutWords', optOutWords, 'STOP'),
    ...english('optInWords', optInWords, 'START'),
    ...both.map((word) => `The settings optOutWords and optInWords both name ${word}.`),
  ]
}

/** The effect of an English keyword with the opposite action. */
const opposites: Readonly<Record<KeywordAction, string>> = {
  STOP: 'ends an opt-out',
  START: 'opts out',
}

function isSame(one: string, other: string): boolean {
  return one.toUpperCase() === other.toUpperCase()
}

/** Reads the address of the service and the key: flags override the environment. */
export function loadClientConfig({
  flags,
  environment,
}: Pick<Origin, 'flags' | 'environment'>): Loaded<ClientConfig> {
  const reader = settingReader(clientSettings, { flags, environment, file: null })
  const faults = [...unknownVariables(environment), ...reader.faults]
  return faults.length > 0
    ? { ok: false, faults }
    : { ok: true, config: Object.freeze(reader.values()) }
}

const prefix = 'NUNCIO_'

/** The environment variables of Nuncio. */
const variables: readonly string[] = [
  ...Object.values(settings),
  ...Object.values(clientSettings),
].map((setting) => setting.variable)

/** The keys of a configuration file. */
const keys: readonly string[] = [
  ...Object.values(settings).flatMap((setting) => (setting.key === null ? [] : [setting.key])),
  'collections',
  'versions',
  'carriers',
  'oidc',
  // Names the schema by which an editor checks a file in JSON.
  '$schema',
]

/** The variables that Kubernetes sets in pods for a service called `nuncio`. */
const kubernetesLink = /^NUNCIO_(SERVICE_(HOST|PORT)|PORT_\d+_(TCP|UDP|SCTP))(_|$)/

/** Returns one sentence for each unknown variable that starts with NUNCIO_. */
function unknownVariables(environment: Environment): readonly string[] {
  return Object.keys(environment)
    .filter((name) => name.startsWith(prefix) && !variables.includes(name))
    .map((name) => `The environment variable ${name} is unknown.${cure(name)}`)
}

function cure(name: string): string {
  if (kubernetesLink.test(name)) {
    return ' Kubernetes sets it for a service called "nuncio": set enableServiceLinks: false in the pod.'
  }
  const ends = variables.map((variable) => variable.slice(prefix.length))
  return didYouMean(name.slice(prefix.length), ends).replace('mean ', `mean ${prefix}`)
}

/** Returns one sentence for each unknown key of a configuration file. */
function unknownKeys({ path, values }: ConfigFile): readonly string[] {
  return Object.keys(values)
    .filter((key) => !keys.includes(key))
    .map((key) => `The key ${key} in ${path} is unknown.${didYouMean(key, keys)}`)
}
