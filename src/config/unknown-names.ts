import { clientSettings } from './client-settings.ts'
import type { ConfigFile } from './config-file.ts'
import type { Environment } from './environment.ts'
import { didYouMean } from '../core/declaration/nearest.ts'
import { settings } from './settings.ts'

const prefix = 'NUNCIO_'

/** Every environment variable that is ours. */
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
  // Names the schema by which an editor checks a file in JSON.
  '$schema',
]

/** What Kubernetes adds to a pod's environment for a service called `nuncio`. */
const kubernetesLink = /^NUNCIO_(SERVICE_(HOST|PORT)|PORT_\d+_(TCP|UDP|SCTP))(_|$)/

/** One sentence for each variable that begins as ours do and is none of ours. */
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

/** One sentence for each key of a configuration file that is no setting. */
export function unknownKeys({ path, values }: ConfigFile): readonly string[] {
  return Object.keys(values)
    .filter((key) => !keys.includes(key))
    .map((key) => `The key ${key} in ${path} is unknown.${didYouMean(key, keys)}`)
}
