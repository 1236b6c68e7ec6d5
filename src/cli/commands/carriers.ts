import type { Flag } from '../arguments.ts'
import { loadAccess } from '../client.ts'
import { collectionCommand } from '../collections/collection-command.ts'
import { refuse, type Command, type GivenArguments } from '../command.ts'
import { printable } from '../printable.ts'
import type { ProcessContext } from '../process-context.ts'
import {
  flagName,
  readReadyCarrier,
  readyCarrierNames,
  type CarrierVariable,
} from '../ready-carriers.ts'
import { addCarrier } from './add-carrier.ts'

const columns = ['id', 'name', 'type', 'active', 'state', 'stateReason']
const base = collectionCommand({ name: 'carriers', noun: 'a carrier', columns })

/** `nuncio carriers`: the collection, and carriers of providers from ready declarations. */
export const carriers: Command = {
  ...base,
  usage: 'carriers list|show|create|change|delete|add|providers [id] [flags]',
  words: [
    ...base.words,
    {
      word: 'add',
      summary: 'Creates one for a provider, and tests it.',
      object: {
        placeholder: 'provider',
        choices: readyCarrierNames,
        flagsOf: (provider) => readReadyCarrier(provider).variables.map(variableFlag),
      },
    },
    { word: 'providers', summary: 'Lists the providers with a ready declaration.' },
  ],
  notes: [
    ...(base.notes ?? []),
    'add takes each value of the account from a flag, an environment variable, or an answer on the ' +
      'terminal. A value that begins with @ names a file with it. "nuncio carriers add <provider> --help" ' +
      'lists the values. Its exit code is 1 if the carrier is DOWN. All need an administrator’s key.',
  ],
  flags: [
    {
      flag: 'id',
      placeholder: 'id',
      description: 'The id of the carrier. Default: the name of the provider.',
      words: ['add'],
    },
    ...base.flags.map(withProviders),
  ],
  run: async (given, context) => {
    if (given.word === 'providers' && given.faults.length === 0) {
      return listProviders(given.switches.has('json'), context)
    }
    return given.word === 'add' ? add(given, context) : base.run(given, context)
  },
}

async function add(given: GivenArguments, context: ProcessContext): Promise<number> {
  const { object } = given
  const missing = object === null ? [`Name a provider: ${readyCarrierNames().join(', ')}.`] : []
  const loaded = loadAccess(given, context)
  const faults = [...(loaded.ok ? [] : loaded.faults), ...missing]
  if (!loaded.ok || object === null || faults.length > 0) {
    return refuse(context, 'carriers', faults)
  }
  return addCarrier(readReadyCarrier(object), given.values, loaded.config, context)
}

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

/** The providers are a list, which JSON can have. */
function withProviders(flag: Flag): Flag {
  const { words = [] } = flag
  return flag.flag === 'json' ? { ...flag, words: [...words, 'providers'] } : flag
}

function listProviders(asJson: boolean, { out }: ProcessContext): number {
  const providers = readyCarrierNames().map(readReadyCarrier)
  if (asJson) {
    const shown = providers.map(({ id, name, untested }) => ({ id, name, untested }))
    out.write(`${JSON.stringify(shown, null, 2)}\n`)
    return 0
  }
  for (const { id, name, untested } of providers) {
    out.write(
      `${printable(`${id.padEnd(20)} ${name}${untested === null ? '' : ' (in part untested)'}`)}\n`,
    )
  }
  return 0
}
