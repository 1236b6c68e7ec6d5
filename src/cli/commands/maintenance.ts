import { clientSettings } from '../../config/client-settings.ts'
import { settingFlags, type Flag } from '../arguments.ts'
import { callService, loadAccess, openClient } from '../client.ts'
import { refuse, type Command } from '../command.ts'

const windowFlags: readonly Flag[] = [
  {
    flag: 'retry-after',
    placeholder: 'seconds',
    description: 'How long clients are asked to wait, 1 to 86400. Default: 300.',
  },
  { flag: 'reason', placeholder: 'text', description: 'The reason in the responses to clients.' },
]

/** The id of the window that this command opens and closes. */
const windowId = 'command-line'

/** `nuncio maintenance on|off`: turns maintenance mode on or off, on every node. */
export const maintenance: Command = {
  name: 'maintenance',
  summary: 'Turns maintenance mode on or off.',
  usage: 'maintenance on|off [flags]',
  words: [
    { word: 'on', summary: 'Begins maintenance, or changes its reason.' },
    { word: 'off', summary: 'Ends it.' },
  ],
  notes: [
    'In maintenance mode every node answers 503 to all but administrators who read. The mode ' +
      'survives restarts. It needs an administrator’s key.',
  ],
  flags: [...windowFlags, ...settingFlags(clientSettings)],
  run: async (given, context) => {
    const loaded = loadAccess(given, context)
    const { word, values } = given
    const missing = word === null ? ['Give on or off: nuncio maintenance on'] : []
    const faults = [...(loaded.ok ? [] : loaded.faults), ...missing]
    if (!loaded.ok || faults.length > 0) return refuse(context, 'maintenance', faults)

    const access = loaded.config
    return callService(access, context, async () => {
      const { maintenanceWindows } = await openClient(access, context)
      if (word === 'on') await maintenanceWindows.put(windowId, windowOf(values))
      else await maintenanceWindows.delete(windowId).catch(ignoreMissing)
      context.out.write(`Maintenance is ${word}.\n`)
      return 0
    })
  },
}

function windowOf({ reason, 'retry-after': retryAfter }: Readonly<Record<string, string>>) {
  return {
    ...(retryAfter === undefined ? {} : { retryAfterSeconds: Number(retryAfter) }),
    reason: reason ?? null,
  }
}

/** Maintenance mode is off if there is no window. */
async function ignoreMissing(error: unknown): Promise<void> {
  const { NuncioProblem } = await import('@nuncio/client')
  if (!(error instanceof NuncioProblem) || error.status !== 404) throw error
}
