import { clientSettings, type ClientConfig } from '../config/client-settings.ts'
import type { Arguments, Flag } from './arguments.ts'
import { callApi } from './call-api.ts'
import type { Command } from './command.ts'
import { Unreachable } from './fetch-api.ts'
import { followMessage } from './follow-message.ts'
import { loadClient } from './load-client.ts'
import type { JsonObject } from '../core/json.ts'
import { parseJsonObject } from './parse-json-object.ts'
import { printable } from './printable.ts'
import { problemText } from './problem-text.ts'
import { failed, refuse } from './refuse.ts'
import { settingFlags } from './setting-flags.ts'
import type { ProcessContext } from './process-context.ts'

const messageFlags: readonly Flag[] = [
  {
    flag: 'to',
    placeholder: 'number',
    description: 'The recipient, such as +4915112345678. Required.',
  },
  { flag: 'body', placeholder: 'text', description: 'The text. Required.' },
  {
    flag: 'from',
    placeholder: 'sender',
    description: "The sender. Default: the service's default sender.",
  },
  {
    flag: 'dry-run',
    placeholder: null,
    description: 'Only shows the parts, the encoding and the cost, and sends nothing.',
  },
]

/** `nuncio send`: sends one message and shows its way to the end. */
export const send: Command = {
  name: 'send',
  summary: 'Sends a message and waits until it is delivered.',
  usage: 'send --to <number> --body <text> [flags]',
  notes: [
    'Prints the identifier of the message, then each status. The exit code is 0 if it was ' +
      'delivered, 1 if not. Ctrl-C ends the waiting, not the message.',
  ],
  flags: [...messageFlags, ...settingFlags(clientSettings)],
  run: async (given, surroundings) => {
    const loaded = loadClient(given, surroundings)
    const faults = [...(loaded.ok ? [] : loaded.faults), ...missingFlags(given.values)]
    if (!loaded.ok || faults.length > 0) return refuse(surroundings, 'send', faults)

    try {
      return await sendAndFollow(given, loaded.config, surroundings)
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error
      surroundings.err.write(`${error.message}\n`)
      return failed
    }
  },
}

function missingFlags({ to, body }: Arguments['values']): readonly string[] {
  return [
    ...(to === undefined ? ['The flag --to is missing: who is to get the message?'] : []),
    ...(body === undefined ? ['The flag --body is missing: what is the text?'] : []),
  ]
}

async function sendAndFollow(
  { values: { to, body, from }, switches }: Arguments,
  config: ClientConfig,
  surroundings: ProcessContext,
): Promise<number> {
  const isDryRun = switches.has('dry-run')
  const answer = await callApi(surroundings, config, {
    method: 'POST',
    path: '/v1/messages',
    headers: { 'content-type': 'application/json', ...(isDryRun ? handling : {}) },
    body: JSON.stringify({ to, body, from }),
  })
  const message = answer.status === (isDryRun ? 200 : 201) ? parseJsonObject(answer.text) : null
  if (message !== null) {
    return isDryRun ? show(message, surroundings) : followMessage(message, config, surroundings)
  }

  surroundings.err.write(`${problemText(answer)}\n`)
  return failed
}

const handling = { prefer: 'handling=dry-run' }

/** Prints what a message would be; returns the exit code. */
function show(message: JsonObject, { out }: ProcessContext): number {
  const { numberOfParts, encoding, creditCost, from, to } = message
  const parts = numberOfParts === 1 ? '1 part' : `${Number(numberOfParts)} parts`
  const words = `${parts}, ${String(encoding)}, ${Number(creditCost)} credits`
  out.write(`${printable(`${String(from)} to ${String(to)}: ${words}`)}\n`)
  return 0
}
