import { clientSettings, type ClientConfig } from '../config/client-settings.ts'
import type { Arguments, Flag } from './arguments.ts'
import { callApi } from './call-api.ts'
import type { Command } from './command.ts'
import { Unreachable, type ApiRequest } from './fetch-api.ts'
import { loadClient } from './load-client.ts'
import { problemText } from './problem-text.ts'
import { failed, refuse } from './refuse.ts'
import { settingFlags } from './setting-flags.ts'
import type { ProcessContext } from './process-context.ts'

const windowFlags: readonly Flag[] = [
  {
    flag: 'retry-after',
    placeholder: 'seconds',
    description: 'The time that clients should wait, 1 to 86400. Default: 300.',
  },
  { flag: 'reason', placeholder: 'text', description: 'The reason in responses.' },
]

/** The window that this command opens and closes. */
const path = '/v1/maintenanceWindows/command-line'

/** `nuncio maintenance on|off`: opens and closes a maintenance window on every node. */
export const maintenance: Command = {
  name: 'maintenance',
  summary: 'Turns maintenance mode on or off.',
  usage: 'maintenance on|off [flags]',
  words: ['on', 'off'],
  notes: [
    'While it is on, requests get 503 on every node, except reads of administrators. It survives ' +
      'restarts. It needs an administrator’s key.',
  ],
  flags: [...windowFlags, ...settingFlags(clientSettings)],
  run: async (given, surroundings) => {
    const loaded = loadClient(given, surroundings)
    const { word, values } = given
    const missing = word === null ? ['Say on or off: nuncio maintenance on'] : []
    const faults = [...(loaded.ok ? [] : loaded.faults), ...missing]
    if (!loaded.ok || faults.length > 0) return refuse(surroundings, 'maintenance', faults)
    return word === 'on'
      ? ask(openWindow(values), [200], 'Maintenance is on.', loaded.config, surroundings)
      : ask(closeWindow, [204, 404], 'Maintenance is off.', loaded.config, surroundings)
  },
}

const closeWindow: ApiRequest = { method: 'DELETE', path, headers: {} }

function openWindow(values: Arguments['values']): ApiRequest {
  const retryAfter = values['retry-after']
  const body = {
    ...(retryAfter === undefined ? {} : { retryAfterSeconds: Number(retryAfter) }),
    reason: values['reason'] ?? null,
  }
  const headers = { 'content-type': 'application/json' }
  return { method: 'PUT', path, headers, body: JSON.stringify(body) }
}

async function ask(
  request: ApiRequest,
  expected: readonly number[],
  done: string,
  config: ClientConfig,
  surroundings: ProcessContext,
): Promise<number> {
  try {
    const answer = await callApi(surroundings, config, request)
    if (expected.includes(answer.status)) {
      surroundings.out.write(`${done}\n`)
      return 0
    }
    surroundings.err.write(`${problemText(answer)}\n`)
    return failed
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error
    surroundings.err.write(`${error.message}\n`)
    return failed
  }
}
