import { clientSettings, type ClientConfig } from './client-settings.ts'
import type { Loaded, Origin } from './load-config.ts'
import { settingReader } from './setting-reader.ts'
import { unknownVariables } from './unknown-names.ts'

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
