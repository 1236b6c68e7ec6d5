import { clientSettings, type ClientConfig } from './client-settings.ts'
import type { Loaded, Origin } from './load-config.ts'
import { settingReader } from './setting-reader.ts'
import { unknownVariables } from './unknown-names.ts'

/** Reads which service to talk to: flags go before the environment. */
export function loadClientConfig({
  flags,
  environment,
}: Pick<Origin, 'flags' | 'environment'>): Loaded<ClientConfig> {
  const reader = settingReader(clientSettings, { flags, environment, file: null })
  const faults = [...unknownVariables(environment), ...reader.faults]
  if (faults.length > 0) return { ok: false, faults }

  return {
    ok: true,
    config: Object.freeze({ url: reader.required('url'), key: reader.value('key') }),
  }
}
