import type { RunningApp } from '../process-context.ts'
import { programVersion } from './version.ts'

/** What a newcomer needs next: the address, the key if it is new, a first message, where to read on. */
export function welcome({ url, adminKey }: Pick<RunningApp, 'url' | 'adminKey'>): string {
  const key = adminKey ?? '$NUNCIO_KEY'
  return [
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

/** In double quotes a shell fills in the variable; a key has nothing in it that a shell changes. */
function firstMessage(url: string, key: string): string {
  const body = JSON.stringify({ to: '+4915112345678', body: 'Hello from Nuncio' })
  const target = /^[\w.:/-]+$/.test(url) ? `${url}/v1/messages` : `'${url}/v1/messages'`
  return `curl ${target} -H "Authorization: Bearer ${key}" -H "Content-Type: application/json" -d '${body}'`
}
