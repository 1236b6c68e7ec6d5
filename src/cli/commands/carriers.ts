import { clientSettings } from '../../config/client-settings.ts'
import { settingFlags, type Flag } from '../arguments.ts'
import { loadAccess } from '../client.ts'
import { refuse, type Command } from '../command.ts'
import { printable } from '../printable.ts'
import type { ProcessContext } from '../process-context.ts'
import {
  flagName,
  readReadyCarrier,
  readyCarrierNames,
  type CarrierVariable,
} from '../ready-carriers.ts'
import { addCarrier } from './add-carrier.ts'

/** `nuncio carriers add <provider>`: creates a carrier from a ready declaration and tests it. */
export const carriers: Command = {
  name: 'carriers',
  summary: 'Creates a carrier for a provider from a ready declaration, and tests it.',
  usage: 'carriers list | carriers add <provider> [flags]',
  words: ['add', 'list'],
  objects: readyCarrierNames,
  flagsOf: (provider) => readReadyCarrier(provider).variables.map(variableFlag),
  notes: [
    'Each value of the account is a flag, an environment variable, or an answer on the terminal. ' +
      'A value that begins with @ names a file with it. "nuncio carriers add <provider> --help" lists ' +
      'the values. The command needs an administrator’s key. The exit code is 1 if the carrier is ' +
      'DOWN.',
  ],
  flags: [
    {
      flag: 'id',
      placeholder: 'id',
      description: 'The id of the carrier. Default: the name of the provider.',
    },
    ...settingFlags(clientSettings),
  ],
  run: async (given, context) => {
    const { word, object } = given
    if (word === 'list' && given.faults.length === 0) return list(context)
    const missing = object === null ? [`Name a provider: ${readyCarrierNames().join(', ')}.`] : []
    const loaded = loadAccess(given, context)
    const faults = [...(loaded.ok ? [] : loaded.faults), ...missing]
    if (!loaded.ok || object === null || faults.length > 0) {
      return refuse(context, 'carriers', word === 'add' ? faults : [howTo, ...given.faults])
    }
    return addCarrier(readReadyCarrier(object), given.values, loaded.config, context)
  },
}

const howTo = 'Give list or add: nuncio carriers add twilio'

/** Returns the flag of a variable. */
export function variableFlag({ name, meaning, isSecret }: CarrierVariable): Flag {
  const described = meaning ?? 'Token in the URLs of callbacks. Default: a generated one'
  const note = isSecret ? 'A flag shows in the process list: prefer the variable' : 'Variable'
  return {
    flag: flagName(name),
    placeholder: 'value',
    description: `${described}.`,
    note: `${note} ${name}`,
  }
}

function list({ out }: ProcessContext): number {
  for (const id of readyCarrierNames()) {
    const { name, untested } = readReadyCarrier(id)
    out.write(
      `${printable(`${id.padEnd(20)} ${name}${untested === null ? '' : ' (in part untested)'}`)}\n`,
    )
  }
  return 0
}
