import { didYouMean } from '../core/declaration/nearest.ts'
import { parseArguments } from './arguments.ts'
import { suggestions, suggestName } from './commands/completion.ts'
import { calledWrongly, helpFlag, takes, type Command, type CommandWord } from './command.ts'
import { otherCollection } from './collections/collection-command.ts'
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

  if (name === suggestName) return suggest(rest, context)

  const command =
    commands.find((candidate) => candidate.name === name) ?? otherCollection(name, rest)
  return command === null ? unknown(name, context) : call(command, rest, context)
}

function suggest(args: readonly string[], { out }: ProcessContext): number {
  for (const { text, summary } of suggestions(args, commands)) {
    out.write(summary === '' ? `${text}\n` : `${text}\t${summary}\n`)
  }
  return 0
}

async function call(
  command: Command,
  args: readonly string[],
  context: ProcessContext,
): Promise<number> {
  const { words = [] } = command
  const [first = '', second = ''] = args
  const word = words.find((each) => each.word === first) ?? null
  const object = word === null ? null : objectOf(word, second)
  const further = object === null ? [] : (word?.object?.flagsOf?.(object) ?? [])
  const own = command.flags.filter((flag) => word === null || takes(flag, word))
  const flags = [...further, ...own]

  const misnamed = word === null ? nameFault(command, first) : objectFault(word, second)
  const rest = args.slice(
    Number(word !== null || misnamed !== null) + Number(isObject(word, second)),
  )
  const flagged = parseArguments(rest, [...flags, helpFlag], word?.takesFields === true)
  const faults = [...(misnamed === null ? [] : [misnamed]), ...flagged.faults]
  const given = { ...flagged, faults, word: word?.word ?? null, object }
  if (!given.switches.has(helpFlag.flag)) return command.run(given, context)

  context.out.write(commandHelp({ ...command, flags }))
  return 0
}

function isObject(word: CommandWord | null, text: string): boolean {
  return word?.object !== undefined && text !== '' && !text.startsWith('-')
}

function objectOf(word: CommandWord, text: string): string | null {
  if (!isObject(word, text)) return null
  const choices = word.object?.choices?.()
  return choices === undefined || choices.includes(text) ? text : null
}

/** Returns the fault of an unknown word after the name of a command; null if there is none. */
function nameFault({ name, words = [] }: Command, text: string): string | null {
  if (words.length === 0 || text === '' || text.startsWith('-')) return null
  const names = words.map(({ word }) => word)
  return `There is no "${printable(`${name} ${text}`)}".${didYouMean(text, names)}`
}

/** Returns the fault of an unknown object after a word; null if there is none. */
function objectFault(word: CommandWord, text: string): string | null {
  if (!isObject(word, text) || objectOf(word, text) !== null) return null
  const { placeholder = '', choices = () => [] } = word.object ?? {}
  return `The ${placeholder} ${printable(text)} is unknown.${didYouMean(text, choices())}`
}

function unknown(name: string, { err }: ProcessContext): number {
  const names = commands.map((command) => command.name)
  const what = name.startsWith('-') ? 'The first argument must be a command' : 'Unknown command'
  err.write(
    `${what}: ${printable(name)}.${didYouMean(name, names)}\n"nuncio help" lists the commands.\n`,
  )
  return calledWrongly
}
