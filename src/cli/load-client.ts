import type { ClientConfig } from '../config/client-settings.ts'
import { loadClientConfig } from '../config/load-client-config.ts'
import type { Loaded } from '../config/load-config.ts'
import type { Arguments } from './arguments.ts'
import type { ProcessContext } from './process-context.ts'

/** Reads which service a command talks to, and as whom. What is wrong with the command line is told along. */
export function loadClient(
  { values, faults }: Arguments,
  { environment }: Pick<ProcessContext, 'environment'>,
): Loaded<ClientConfig> {
  const loaded = loadClientConfig({ flags: values, environment })
  if (!loaded.ok) return { ok: false, faults: [...faults, ...loaded.faults] }

  const { key } = loaded.config
  const missing = key === null ? ['A key is missing: give it with --key or NUNCIO_KEY.'] : []
  const all = [...faults, ...missing]
  return all.length > 0 ? { ok: false, faults: all } : loaded
}
