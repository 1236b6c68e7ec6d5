import type { Client } from '@nuncio/client'
import { loadClientConfig, type Loaded } from '../config/load-config.ts'
import type { Arguments } from './arguments.ts'
import { failed } from './command.ts'
import { failureText } from './failure-text.ts'
import type { ProcessContext } from './process-context.ts'
import { programVersion } from './commands/version.ts'

/** The service that a command calls, and the key. */
export interface ServiceAccess {
  /** Without a slash at the end. */
  readonly url: string
  readonly key: string
}

/** Reads the service and the key of a command. The faults of the command line come first. */
export function loadAccess(
  { values, faults }: Arguments,
  { environment }: Pick<ProcessContext, 'environment'>,
): Loaded<ServiceAccess> {
  const loaded = loadClientConfig({ flags: values, environment })
  if (!loaded.ok) return { ok: false, faults: [...faults, ...loaded.faults] }

  const { service: url, key } = loaded.config
  const missing =
    'A key is missing: give it with --key or NUNCIO_KEY. The first start on an empty store shows one.'
  if (key === null) return { ok: false, faults: [...faults, missing] }
  return faults.length > 0 ? { ok: false, faults } : { ok: true, config: { url, key } }
}

/** Makes a client of the service. A request is repeated up to `attempts` times in all. */
export async function openClient(
  { url, key }: ServiceAccess,
  { fetch, clock, random }: Pick<ProcessContext, 'fetch' | 'clock' | 'random'>,
  attempts = 1,
): Promise<Client> {
  // Loaded on first use: the command serve does not need it.
  const { createClient } = await import('@nuncio/client')
  const headers = { 'user-agent': `nuncio/${programVersion}` }
  return createClient({ baseUrl: url, key, headers, fetch, clock, random, retry: { attempts } })
}

/** Runs work that calls the service; reports a refusal or a missing response. Returns the exit code. */
export async function callService(
  { url }: ServiceAccess,
  { err }: Pick<ProcessContext, 'err'>,
  work: () => Promise<number>,
): Promise<number> {
  try {
    return await work()
  } catch (error) {
    const text = await failureText(error, url)
    if (text === null) throw error
    err.write(`${text}\n`)
    return failed
  }
}
