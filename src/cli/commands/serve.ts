import type { Config } from '../../config/config.ts'
import { loadConfig } from '../../config/load-config.ts'
import { settings } from '../../config/settings.ts'
import { wait } from '../../core/ports/clock.ts'
import type { Log } from '../../core/ports/log.ts'
import { settingFlags } from '../arguments.ts'
import { type Command, failed, refuse } from '../command.ts'
import { openLog } from '../log.ts'
import type { ProcessContext, RunningApp } from '../process-context.ts'
import { stopMsMax, watchShutdown } from '../watch-shutdown.ts'
import { startError } from './start-error.ts'
import { programVersion } from './version.ts'

/** `nuncio serve`: runs the service until a signal stops it. */
export const serve: Command = {
  name: 'serve',
  summary: 'Starts the service.',
  usage: 'serve [flags]',
  notes: [
    'Each setting is a flag, an environment variable or a key of the configuration file, ' +
      'in this order of precedence.',
  ],
  flags: settingFlags(settings),
  run: async ({ values, faults }, context) => {
    const { environment, cwd } = context
    const loaded = await loadConfig({ flags: values, environment, cwd })
    if (faults.length > 0) {
      return refuse(context, 'serve', [...faults, ...(loaded.ok ? [] : loaded.faults)])
    }
    if (loaded.ok) return serveUntilStopped(loaded.config, context)

    refuse(context, 'serve', loaded.faults)
    return failed
  },
}

async function serveUntilStopped(config: Config, context: ProcessContext): Promise<number> {
  const log = openLog(config.log, context.err, context.clock)
  // First of all: a stop request may arrive while the store opens.
  const stop = watchShutdown(context)

  const app = await start(config, log, context)
  if (app === null) return failed
  // Only a terminal shows the code: logs and pipes may be stored.
  const code = context.out.terminal ? await app.signInCode() : null
  context.out.write(welcome(app, code))
  if (config.secretKey === null) {
    log('warn', 'secrets stored in clear', { remedy: 'set NUNCIO_SECRET_KEY' })
  }

  await stop.given
  log('info', 'stopping', { signal: stop.signal.reason })
  return finish(app, log, context)
}

/** Stops the app, and waits for a limited time. */
async function finish(app: RunningApp, log: Log, { clock }: ProcessContext): Promise<number> {
  const over = new AbortController()
  try {
    const stopped = app.stop().then(() => true)
    const inTime = await Promise.race([stopped, wait(clock, stopMsMax, over.signal)])
    log(inTime ? 'info' : 'warn', inTime ? 'stopped' : 'stop timed out')
    return 0
  } catch (error) {
    log('error', 'stop failed', { error })
    return failed
  } finally {
    over.abort()
  }
}

async function start(
  config: Config,
  log: Log,
  { startApp, err }: ProcessContext,
): Promise<RunningApp | null> {
  try {
    return await startApp(config, { log })
  } catch (error) {
    log('debug', 'start failed', { error })
    err.write(startError(error, config))
    return null
  }
}

/** Returns the first steps: console, sign-in code, address, new key, a first message, documentation. */
function welcome(
  { url, adminKey }: Pick<RunningApp, 'url' | 'adminKey'>,
  code: string | null,
): string {
  const key = adminKey ?? '$NUNCIO_KEY'
  return [
    `Console: ${url}/console`,
    ...(code === null
      ? []
      : [`Sign in there with the code ${code}, once, within ten minutes.`, '']),
    `Nuncio ${programVersion} is ready at ${url}`,
    '',
    ...(adminKey === null
      ? ['To send a message, put your key into NUNCIO_KEY and run:']
      : [
          "The administrator's key, shown this once (keep it safe):",
          '',
          `  ${adminKey}`,
          '',
          'Send a first message (a simulated carrier delivers it, no phone rings):',
        ]),
    '',
    `  ${firstMessage(url, key)}`,
    '',
    `Read on at ${url}/docs. Ctrl-C stops the service.`,
    '',
    '',
  ].join('\n')
}

/** Double quotes let a shell insert the variable; a key has no special characters. */
function firstMessage(url: string, key: string): string {
  const body = JSON.stringify({ to: '+4915112345678', body: 'Hello from Nuncio' })
  const target = /^[\w.:/-]+$/.test(url) ? `${url}/v1/messages` : `'${url}/v1/messages'`
  return `curl ${target} -H "Authorization: Bearer ${key}" -H "Content-Type: application/json" -d '${body}'`
}
