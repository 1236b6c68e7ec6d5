import type { RunningApp } from '../process-context.ts'
import { programVersion } from './version.ts'

/** Returns the first steps: console, sign-in code, address, new key, a first message, documentation. */
export function welcome(
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
