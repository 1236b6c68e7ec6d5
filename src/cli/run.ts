import { didYouMean } from '../core/declaration/nearest.ts'
import { parseArguments } from './arguments.ts'
import { calledWrongly, helpFlag, type Command } from './command.ts'
import { commands } from './commands.ts'
import { commandHelp } from './commands/help.ts'
import { printable } from './printable.ts'
import type { ProcessContext } from './process-context.ts'

/** Other names of commands. */
const otherNames: Readonly<Record<string, string>> = {
  '--help': 'help',
  '-h': 'help',
  '--version': 'version',
  '-v': 'version',
}

/** Runs the command of the arguments and returns the exit code. */
export async function run(argv: readonly string[], context: ProcessContext): Promise<number> {
  const [first = 'help', ...rest] = argv
  const name = otherNames[first] ?? first
  const [topic, ...more] = rest
  if (name === 'help' && topic !== undefined && !topic.startsWith('-')) {
    return run([topic, '--help', ...more], context)
  }

  const command = commands.find((candidate) => candidate.name === name)
  return command === undefined ? unknown(name, context) : call(command, rest, context)
}

async function call(
  command: Command,
  args: readonly string[],
  context: ProcessContext,
): Promise<number> {
  const [first = '', second = ''] = args
  const word = command.words?.includes(first) === true ? first : null
  const isNamed = word !== null && command.objects?.().includes(second) === true
  const object = isNamed ? second : null
  const further = object === null ? [] : (command.flagsOf?.(object) ?? [])
  const flags = [...further, ...command.flags]
  const rest = args.slice(object === null ? Number(word !== null) : 2)
  const flagged = parseArguments(rest, [...flags, helpFlag])
  const given = { ...flagged, word, object }
  if (!given.switches.has(helpFlag.flag)) return command.run(given, context)

  context.out.write(commandHelp({ ...command, flags }))
  return 0
}

function unknown(name: string, { err }: ProcessContext): number {
  const names = commands.map((command) => command.name)
  const what = name.startsWith('-') ? 'The first argument must be a command' : 'Unknown command'
  err.write(
    `${what}: ${printable(name)}.${didYouMean(name, names)}\n"nuncio help" lists the commands.\n`,
  )
  return calledWrongly
}
