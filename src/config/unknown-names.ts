import { clientSettings } from './client-settings.ts'
import type { ConfigFile } from './config-file.ts'
import type { Environment } from './environment.ts'
import { didYouMean } from '../core/declaration/nearest.ts'
import { settings } from './settings.ts'

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
export function unknownVariables(environment: Environment): readonly string[] {
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
export function unknownKeys({ path, values }: ConfigFile): readonly string[] {
  return Object.keys(values)
    .filter((key) => !keys.includes(key))
    .map((key) => `The key ${key} in ${path} is unknown.${didYouMean(key, keys)}`)
}
